/** A Python editor: CodeMirror with the lab's colours. Loaded with the page that writes. */

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";

const LOOK = EditorView.theme({
  "&": {
    height: "100%",
    color: "var(--text)",
    backgroundColor: "var(--field)",
    font: "var(--small) var(--mono)",
  },
  "&.cm-focused": { outline: "2px solid var(--focus)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": {
    backgroundColor: "var(--surface)",
    color: "var(--muted)",
    borderRight: "1px solid var(--line)",
  },
  ".cm-activeLine": { backgroundColor: "var(--forward-wash)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
    { backgroundColor: "var(--backward-wash)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--right-wash)" },
});

const COLOURS = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword], color: "var(--backward)", fontWeight: "600" },
  { tag: [tags.definition(tags.variableName), tags.className], color: "var(--forward)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--pos)" },
  { tag: tags.string, color: "var(--neg)" },
  { tag: tags.comment, color: "var(--muted)", fontStyle: "italic" },
]);

export interface Editor {
  readonly text: string;
  set: (text: string) => void;
  /** Write the label anew, after a change of language. */
  relabel: () => void;
  focus: () => void;
}

export function editor(
  parent: HTMLElement,
  root: ShadowRoot,
  text: string,
  label: () => string,
  changed: (text: string) => void,
): Editor {
  const view = new EditorView({
    parent,
    root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        highlightActiveLine(),
        indentOnInput(),
        indentUnit.of("    "),
        bracketMatching(),
        python(),
        syntaxHighlighting(COLOURS),
        LOOK,
        // Esc, then Tab, leaves the editor: that is CodeMirror's own way.
        keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
        EditorView.contentAttributes.of(() => ({
          "aria-label": label(),
          spellcheck: "false",
          tabindex: "0",
        })),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) changed(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    get text() {
      return view.state.doc.toString();
    },
    set: (next) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } }),
    relabel: () => view.dispatch({}),
    focus: () => view.focus(),
  };
}
