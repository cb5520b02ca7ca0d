#include "notebook/export/markdown.h"

#include "base/utf8.h"

#include <string.h>

void output_clean(Text *out, const char *bytes, size_t length) {
    for (size_t at = 0; at < length;) {
        uint32_t c;
        at += utf8_next(bytes + at, length - at, &c);
        bool control = c < 0x20 && c != '\n' && c != '\t';
        utf8_write(out, control ? 0x2400 + c : c == 0x7F ? 0x2421 : c);
    }
}

/* Appends the outputs of a cell, each behind an empty line. */
static void write_outputs(Text *out, const Recording *recording, const DocPiece *piece) {
    static const char *const kinds[] = {[OUTPUT_TEXT] = "",
                                        [OUTPUT_NOTE] = " note",
                                        [OUTPUT_ERROR] = " error",
                                        [OUTPUT_PICTURE] = " picture "};
    const struct CellOutputs *outputs = &recording->cells[piece->cell->index];
    if (outputs->count == 0) return;
    LocalText indent = TEXT_FOR(out);
    size_t marks = 0; /* of the indent without the spaces at its end */
    for (size_t i = 0; i < piece->indent; i++) {
        char c = piece->text[i];
        text_char(&indent, c == '>' || c == '\t' ? c : ' ');
        if (c == '>') marks = i + 1;
    }
    if (out->length && out->data[out->length - 1] != '\n') { /* the document ends within the cell */
        size_t fence = strspn(piece->text + piece->indent, "`~");
        text_format(out, "\n%s%.*s\n", indent.data, (int)fence, piece->text + piece->indent);
    }
    for (size_t i = 0; i < outputs->count; i++) {
        text_bytes(out, indent.data, marks);
        text_char(out, '\n');
        const Output *output = &recording->recorder.outputs[outputs->first + i];
        const char *bytes = recording->recorder.text.data;
        LocalText info = TEXT_FOR(out), text = TEXT_FOR(out), words = TEXT_FOR(out);
        text_format(&info, "attn output%s", kinds[output->kind]);
        text_bytes(&words, bytes + output->words, output->words_length);
        transcript_write_words(&info, words.data);
        output_clean(&text, bytes + output->begin, output->length);
        transcript_write_block(out, indent.data, info.data, text.data, text.length);
    }
}

void markdown_write(Text *out, const Recording *recording, const PageFrame *frame) {
    (void)frame;
    DocPieces pieces = document_pieces(recording->document);
    DocPiece gap = {.cell = NULL}; /* the blank lines before the piece, which go with an output */
    for (DocPiece piece; document_next_piece(&pieces, &piece);) {
        bool dropped = piece.cell && piece.cell->kind == CELL_OUTPUT;
        bool is_blank = !piece.cell && strspn(piece.text, " \t\r\n>") >= piece.length;
        if (!dropped && gap.length) text_bytes(out, gap.text, gap.length);
        gap = (DocPiece){.cell = NULL};
        if (is_blank) {
            gap = piece;
        } else if (!dropped) {
            text_bytes(out, piece.text, piece.length);
            if (piece.cell) write_outputs(out, recording, &piece);
        }
    }
    if (gap.length) text_bytes(out, gap.text, gap.length);
}
