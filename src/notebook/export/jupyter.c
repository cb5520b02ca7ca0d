/* A notebook of Jupyter is JSON: https://nbformat.readthedocs.io, version 4.5. */
#include "notebook/export/markdown.h"

#include "base/text.h"
#include "base/translate.h"
#include "io/json.h"
#include "notebook/prose.h"

#include <string.h>

typedef struct Notebook {
    Text *out;
    const Recording *recording;
    Language language;
    Text prose; /* Markdown of the cell that is not written yet */
    int cells, runs, exercises;
    bool asked; /* a prediction is above, and no cell since */
} Notebook;

static void write_json(Text *out, const char *bytes, size_t length) {
    LocalText clean = TEXT_FOR(out);
    output_clean(&clean, bytes, length);
    json_write_string(out, clean.data, clean.length);
}

static const char *word(const Notebook *notebook, const char *english) {
    return tr_in(notebook->language, english);
}

/* ---- cells ---- */

static void open_cell(Notebook *notebook, const char *type, const char *metadata) {
    if (notebook->cells++) text_string(notebook->out, ",\n");
    text_format(notebook->out,
                "  {\"cell_type\": \"%s\", \"id\": \"cell-%d\", \"metadata\": {%s}, ", type,
                notebook->cells, metadata);
}

/* Writes the prose so far as a cell, if there is any. */
static void end_prose(Notebook *notebook) {
    Text *prose = &notebook->prose;
    text_cut(prose, trimmed_length(prose->data, prose->length, " \t\r\n"));
    size_t empty = strspn(prose->data, "\r\n");
    if (prose->length > empty) {
        open_cell(notebook, "markdown", "");
        text_string(notebook->out, "\"source\": ");
        write_json(notebook->out, prose->data + empty, prose->length - empty);
        text_char(notebook->out, '}');
    }
    text_clear(prose);
}

static void write_output(Notebook *notebook, const Output *output) {
    Text *out = notebook->out;
    const char *text = notebook->recording->recorder.text.data, *bytes = text + output->begin;
    switch (output->kind) {
    case OUTPUT_TEXT:
    case OUTPUT_NOTE:
        text_format(out, "{\"output_type\": \"stream\", \"name\": \"%s\", \"text\": ",
                    output->kind == OUTPUT_TEXT ? "stdout" : "stderr");
        write_json(out, bytes, output->length);
        break;
    case OUTPUT_ERROR:
        text_string(out, "{\"output_type\": \"error\", \"ename\": \"error\", \"evalue\": \"\", "
                         "\"traceback\": [");
        write_json(out, bytes, output->length);
        text_char(out, ']');
        break;
    case OUTPUT_PICTURE:
        text_string(out, "{\"output_type\": \"display_data\", \"metadata\": {}, \"data\": {");
        if (strcmp(output->format, "png") == 0) {
            text_string(out, "\"image/png\": \"");
            base64_write(out, bytes, output->length);
            text_string(out, "\", \"text/plain\": ");
            write_json(out, text + output->words, output->words_length);
        } else {
            text_string(out, "\"text/plain\": ");
            write_json(out, bytes, output->length);
        }
        text_char(out, '}');
    }
    text_char(out, '}');
}

static void write_code(Notebook *notebook, const Cell *cell) {
    const struct CellOutputs *outputs = &notebook->recording->cells[cell->index];
    size_t length = trimmed_length(cell->code, strlen(cell->code), "\n");
    end_prose(notebook);
    /* The output below a prediction says what was asked, so it is folded as the answer is. */
    open_cell(notebook, "code", notebook->asked ? "\"jupyter\": {\"outputs_hidden\": true}" : "");
    notebook->asked = false;
    text_format(notebook->out, "\"execution_count\": %d, \"source\": ", ++notebook->runs);
    write_json(notebook->out, cell->code, length);
    text_string(notebook->out, ", \"outputs\": [");
    for (size_t i = 0; i < outputs->count; i++) {
        if (i) text_string(notebook->out, ", ");
        write_output(notebook, &notebook->recording->recorder.outputs[outputs->first + i]);
    }
    text_string(notebook->out, "]}");
}

/* ---- questions, as Markdown ---- */

static void open_question(Notebook *notebook, const Cell *cell) {
    end_prose(notebook);
    text_format(&notebook->prose, "**%s", word(notebook, cell_kind_title(cell->kind)));
    if (cell_is_exercise(cell)) text_format(&notebook->prose, " %d", ++notebook->exercises);
    text_string(&notebook->prose, "**\n\n");
}

static void write_question(Notebook *notebook, const Cell *cell) {
    text_bytes(&notebook->prose, cell->code, cell->prose_length);
    text_char(&notebook->prose, '\n');
}

static void open_fold(Notebook *notebook, const char *summary) {
    text_format(&notebook->prose, "\n<details><summary>%s</summary>\n\n", summary);
}

static void close_fold(Notebook *notebook) { text_string(&notebook->prose, "\n</details>\n"); }

/* Writes the output of a cell as a block of code within prose. */
static void write_given(Notebook *notebook, const Cell *cell) {
    const Recording *recording = notebook->recording;
    const struct CellOutputs *outputs = &recording->cells[cell->index];
    for (size_t i = 0; i < outputs->count; i++) {
        const Output *output = &recording->recorder.outputs[outputs->first + i];
        if (output->kind == OUTPUT_PICTURE && strcmp(output->format, "text") != 0) continue;
        transcript_write_block(&notebook->prose, "", "",
                               recording->recorder.text.data + output->begin, output->length);
    }
}

static void write_exercise(Notebook *notebook, const Cell *cell) {
    int hints = cell_part_count(cell, CELL_HINT), number = 0;
    open_question(notebook, cell);
    write_question(notebook, cell);
    end_prose(notebook);
    open_cell(notebook, "code", ""); /* for the answer */
    text_string(notebook->out, "\"execution_count\": null, \"source\": \"\", \"outputs\": []}");
    for (const Cell *hint = cell; (hint = cell_part(hint, CELL_HINT));) {
        LocalText summary = TEXT_FOR(&notebook->prose);
        hint_name(&summary, notebook->language, ++number, hints);
        open_fold(notebook, summary.data);
        write_question(notebook, hint);
        close_fold(notebook);
    }
    for (const Cell *part = cell; (part = cell_part(part, CELL_SOLUTION));) {
        open_fold(notebook, word(notebook, "A solution"));
        transcript_write_block(&notebook->prose, "", "", part->code, strlen(part->code));
        write_given(notebook, part);
        close_fold(notebook);
    }
    end_prose(notebook);
}

/* The options first, and folded below them which are right and why. */
static void write_choice(Notebook *notebook, const Cell *cell) {
    open_question(notebook, cell);
    LocalText reasons = TEXT_FOR(&notebook->prose);
    for (const DocNode *node = cell->node->first; node; node = node->next) {
        LocalText words = TEXT_FOR(&notebook->prose);
        if (node->kind != DOC_LIST) {
            prose_plain(&words, node);
            text_format(&notebook->prose, "%s\n\n", words.data);
        }
        for (const DocNode *item = node->first; node->kind == DOC_LIST && item; item = item->next) {
            LocalText reason = TEXT_FOR(&notebook->prose);
            text_clear(&words);
            bool reasoned = prose_option(item, &words, &reason);
            text_format(&notebook->prose, "- %s\n", words.data);
            text_format(&reasons, "- %s: *%s*%s%s\n", words.data,
                        word(notebook, item->task == 'x' ? "right" : "not right"),
                        reasoned ? ": " : "", reason.data);
        }
    }
    open_fold(notebook, word(notebook, "Answer"));
    text_string(&notebook->prose, reasons.data);
    close_fold(notebook);
    end_prose(notebook);
}

void jupyter_write(Text *out, const Recording *recording, const PageFrame *frame) {
    Notebook notebook = {
        .out = out, .recording = recording, .language = frame->language, .prose = TEXT_EMPTY};
    DocPieces pieces = document_pieces(recording->document);
    text_string(out, "{\n \"cells\": [\n");
    for (DocPiece piece; document_next_piece(&pieces, &piece);) {
        const Cell *cell = piece.cell;
        if (!cell) {
            text_bytes(&notebook.prose, piece.text, piece.length);
            continue;
        }
        switch (cell->kind) {
        case CELL_RUN:
        case CELL_ERROR: write_code(&notebook, cell); break;
        case CELL_PREDICT:
            open_question(&notebook, cell);
            write_question(&notebook, cell);
            open_fold(&notebook, word(&notebook, "Answer"));
            text_format(&notebook.prose, "`%s`\n\n", cell->answer);
            write_given(&notebook, cell);
            close_fold(&notebook);
            end_prose(&notebook);
            notebook.asked = true;
            break;
        case CELL_EXERCISE: write_exercise(&notebook, cell); break;
        case CELL_CHOICE: write_choice(&notebook, cell); break;
        case CELL_OPEN:
            open_question(&notebook, cell);
            write_question(&notebook, cell);
            end_prose(&notebook);
            break;
        default: break; /* parts of an exercise, and outputs */
        }
    }
    end_prose(&notebook);
    text_release_for(&notebook.prose, out);
    text_string(out, "\n ],\n \"metadata\": {\n"
                     "  \"kernelspec\": {\"name\": \"attn\", \"display_name\": \"attn\", "
                     "\"language\": \"attn\"},\n"
                     "  \"language_info\": {\"name\": \"attn\", \"file_extension\": \".attn\", "
                     "\"mimetype\": \"text/plain\"}\n"
                     " },\n \"nbformat\": 4,\n \"nbformat_minor\": 5\n}\n");
}
