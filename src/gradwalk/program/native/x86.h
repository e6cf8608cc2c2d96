/* The bytes of the x86-64 instructions that lanes_code.c emits: AVX-512 over vectors of eight doubles, AVX2 over vectors
 * of four, and a few on addresses. Nothing else of the processor is here.
 *
 * The processor's manual names the parts: a prefix, the opcode, ModRM, a displacement, and for some instructions a last
 * byte. The prefix is EVEX, of four bytes, for AVX-512, and VEX, of two or three, for AVX2; the rest is the same in both.
 * All vector instructions here have the prefix 66, which means doubles; EVEX has W = 1, too.
 */
#ifndef GRADWALK_X86_H
#define GRADWALK_X86_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum { X86_MOST = 1 << 30 }; /* bytes of code: all distances between two of them fit into 32 bits */

/* Bytes that grow. Without memory, or beyond X86_MOST, `failed` is set, and what follows is dropped. */
typedef struct {
    uint8_t *bytes;
    size_t count, room;
    bool failed;
    bool vex; /* for AVX2: registers 0 … 15, no masks, no number in memory that stands for all lanes */
} Code;

enum { RAX = 0, RCX = 1, RDX = 2, RBX = 3, RBP = 5, RSI = 6, RDI = 7, R8, R9, R10, R11, R14 = 14, R15 };

/* Opcode, and its map in the high byte. */
typedef enum {
    X86_LOAD_ANY = 0x110,  /* from any address; LOAD and STORE want multiples of a vector */
    X86_UNPACK_LOW = 0x114,
    X86_UNPACK_HIGH = 0x115,
    X86_LOAD = 0x128,
    X86_STORE = 0x129,
    X86_SQRT = 0x151,
    X86_AND = 0x154,
    X86_XOR = 0x157,
    X86_ADD = 0x158,
    X86_MUL = 0x159,
    X86_SUB = 0x15C,
    X86_MIN = 0x15D,
    X86_DIV = 0x15E,
    X86_MAX = 0x15F,
    X86_COMPARE = 0x1C2,
    X86_SPREAD = 0x219,   /* one number from memory into all lanes */
    X86_HALVES = 0x306,   /* VEX: two parts of two lanes, of the second and the third */
    X86_ROUND = 0x309,
    X86_SHUFFLE = 0x323,  /* EVEX: four parts of two lanes: two of the second, two of the third */
    X86_BLEND = 0x34B,    /* VEX: the third where the register in the last byte, times 16, has its sign, else the second */
} X86;

/* The last byte of COMPARE. A letter U at the end: also true where a number is nan. */
enum { X86_EQ = 0x00, X86_UNORDERED = 0x03, X86_NEU = 0x04, X86_LT = 0x11, X86_LE = 0x12, X86_NLEU = 0x16,
       X86_GE = 0x1D, X86_GT = 0x1E };

enum { X86_DOWN = 9 }; /* the last byte of ROUND: toward -inf */

/* The last operand of an instruction. */
typedef struct {
    enum { X86_REGISTER, X86_MEMORY, X86_POOL } kind; /* POOL: an offset from the first byte of the code */
    int number;                                       /* the register, or the one with the address */
    int32_t offset;
    bool spread;                                      /* one number in memory stands for all lanes */
} X86Operand;

static inline X86Operand
x86_register(int number)
{
    return (X86Operand){X86_REGISTER, number, 0, false};
}

static inline X86Operand
x86_memory(int base, int32_t offset)
{
    return (X86Operand){X86_MEMORY, base, offset, false};
}

static inline X86Operand
x86_number(int base, int32_t offset)
{
    return (X86Operand){X86_MEMORY, base, offset, true};
}

static inline void
x86_bytes(Code *code, const uint8_t *bytes, size_t count)
{
    code->failed = code->failed || code->count + count > X86_MOST;
    if (code->count + count > code->room && !code->failed) {
        size_t room = 2 * code->room + 4096;
        uint8_t *grown = realloc(code->bytes, room);
        code->failed = grown == NULL;
        code->bytes = grown != NULL ? grown : code->bytes;
        code->room = grown != NULL ? room : code->room;
    }
    for (size_t k = 0; k < count && !code->failed; k++) {
        code->bytes[code->count++] = bytes[k];
    }
}

static inline int
x86_little(uint8_t *to, int32_t number)
{
    for (int k = 0; k < 4; k++) {
        to[k] = (uint8_t)((uint32_t)number >> 8 * k);
    }
    return 4;
}

/* ModRM and displacement; `unit`: what a displacement of one byte counts; `after`: the bytes that follow. */
static inline int
x86_address(const Code *code, uint8_t *to, int before, int reg, X86Operand operand, int unit, int after)
{
    uint8_t middle = (uint8_t)((reg & 7) << 3);
    int32_t small = operand.offset / unit;
    if (operand.kind == X86_REGISTER) {
        to[0] = (uint8_t)(0xC0 | middle | (operand.number & 7));
        return 1;
    }
    if (operand.kind == X86_POOL) {
        to[0] = (uint8_t)(middle | 5);
        return 1 + x86_little(to + 1, operand.offset - (int32_t)code->count - before - 5 - after);
    }
    uint8_t base = (uint8_t)(middle | (operand.number & 7));
    if (small * unit == operand.offset && small >= -128 && small < 128) {
        to[0] = 0x40 | base;
        to[1] = (uint8_t)small;
        return 2;
    }
    to[0] = 0x80 | base;
    return 1 + x86_little(to + 1, operand.offset);
}

/* A vector instruction in EVEX. mask: k1 … k7, or 0 for none; zero: lanes outside the mask become 0 instead of staying as
 * they are; last: the last byte, or -1. */
static inline void
x86_masked(Code *code, X86 what, int first, int second, X86Operand third, int mask, bool zero, int last)
{
    bool inside = third.kind == X86_REGISTER, number = third.spread && what != X86_SPREAD;
    int high = inside ? third.number >> 4 & 1 : 0, after = last >= 0;
    uint8_t to[16] = {
        0x62,
        (uint8_t)(what >> 8 | !(first >> 4 & 1) << 4 | !(third.number >> 3 & 1) << 5 | !high << 6 |
                  !(first >> 3 & 1) << 7),
        (uint8_t)(0x85 | (~second & 15) << 3),
        (uint8_t)(mask | !(second >> 4 & 1) << 3 | number << 4 | 0x40 | zero << 7),
        (uint8_t)what,
    };
    int count = 5 + x86_address(code, to + 5, 5, first, third, third.spread ? 8 : 64, after);
    if (after) {
        to[count++] = (uint8_t)last;
    }
    x86_bytes(code, to, (size_t)count);
}

/* A vector instruction in VEX: two bytes where they can say it, else three. */
static inline void
x86_vex(Code *code, X86 what, int first, int second, X86Operand third, int last)
{
    int map = what >> 8, low = !(first >> 3 & 1) << 7, base = !(third.number >> 3 & 1) << 5, after = last >= 0;
    uint8_t sources = (uint8_t)(0x05 | (~second & 15) << 3), to[16];
    int count = 0;
    if (map == 1 && base) {
        to[count++] = 0xC5;
        to[count++] = (uint8_t)(low | sources);
    }
    else {
        to[count++] = 0xC4;
        to[count++] = (uint8_t)(low | 0x40 | base | map);
        to[count++] = sources;
    }
    to[count++] = (uint8_t)what;
    count += x86_address(code, to + count, count, first, third, 1, after);
    if (after) {
        to[count++] = (uint8_t)last;
    }
    x86_bytes(code, to, (size_t)count);
}

/* A vector instruction without a mask; last: the last byte, or -1. */
static inline void
x86_last(Code *code, X86 what, int first, int second, X86Operand third, int last)
{
    if (code->vex) {
        x86_vex(code, what, first, second, third, last);
    }
    else {
        x86_masked(code, what, first, second, third, 0, false, last);
    }
}

static inline void
x86_vector(Code *code, X86 what, int first, int second, X86Operand third)
{
    x86_last(code, what, first, second, third, -1);
}

/* One instruction on addresses, of 64 bits: `opcode` with its two operands. */
static inline void
x86_scalar(Code *code, int opcode, int reg, X86Operand operand)
{
    uint8_t to[16] = {(uint8_t)(0x48 | (operand.number >> 3 & 1) | (reg >> 3 & 1) << 2)};
    int count = 1;
    if (opcode > 0xFF) {
        to[count++] = 0x0F;
    }
    to[count++] = (uint8_t)opcode;
    count += x86_address(code, to + count, count, reg, operand, 1, 0);
    x86_bytes(code, to, (size_t)count);
}

enum { X86_ADDRESS = 0x8D, X86_MOVE = 0x8B, X86_PLUS = 0x03, X86_MINUS = 0x2B, X86_TIMES = 0x1AF, X86_FETCH = 0x118,
       X86_COMPARE_ADDRESS = 0x3B };

#endif
