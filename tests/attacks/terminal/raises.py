EVIL = "\x1b[2J\x1b]52;c;ZXZpbA==\x07\x9b31m\u202egnp\ud83d\u2066\x7f"
raise RuntimeError(EVIL)
