/* Documents as pages: where code, outputs and questions stand in them, and memory that runs out. */
#include "notebook/export/markdown.h"
#include "notebook/export/site.h"
#include "notebook/recorder.h"

#include "base/memory.h"
#include "base/translate.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

Suite *export_suite(void);

typedef void Write(Text *out, const Recording *recording, const PageFrame *frame);

/* Writes a document whose cells have run. */
static bool write_document(const char *markdown, Language language, Write *write, Text *out,
                           Error *err) {
    Document *document = document_parse("doc.md", markdown, strlen(markdown), err);
    if (!document) return false;
    Recording recording;
    PageFrame frame = {.language = language};
    bool ok = recording_init(&recording, document, PICTURES_AS_TEXT, err);
    Session *session = ok ? session_new(&recording.recorder.host, NULL, err) : NULL;
    ok = session && (document_has_outputs(document) ? recording_take_outputs(&recording, err)
                                                    : recording_run(&recording, session, err));
    if (ok) write(out, &recording, &frame);
    session_free(session);
    recording_release(&recording);
    document_free(document);
    return ok && text_ok(out, err);
}

static void has(const char *markdown, Language language, const char *expected) {
    Text out = TEXT_EMPTY;
    Error err = {.kind = ERR_NONE};
    ck_assert_msg(write_document(markdown, language, html_page_write, &out, &err), "%s",
                  err.message);
    const char *text = strstr(out.data, "<main id=\"page-text\">\n");
    ck_assert_msg(strstr(text, expected), "%s\nhas no\n%s\n%s", markdown, expected, text);
    text_release(&out);
}

static const char lesson[] = "# T\n\n```attn\nx = 2\nx < 3\n```\n"
                             "```attn predict\nHow *much*?\n\nanswer: x + 3\n```\n"
                             "```attn error shape\n[1, 2] @ [1]\n```\n"
                             "```attn exercise {#mix}\nMake `y`.\n```\n"
                             "```attn check\nassert y == 7, \"no\"\n```\n"
                             "```attn hint\nAdd.\n```\n```attn hint\nAdd 5.\n```\n"
                             "```attn wrong\n# no\ny = 1\n```\n"
                             "```attn solution\ny = x + 5\n```\n"
                             "```attn choice {#why}\nWhich?\n\n"
                             "- [x] one -- because `1`\n- [ ] *two* -- no\n```\n"
                             "```attn open\nWhy?\n```\n"
                             "```attn\ny\nplot [[y, 1], [2, 3]]\n```\n";

START_TEST(cells) {
    has(lesson, LANGUAGE_ENGLISH,
        "<section class=\"cell\" id=\"cell-1\" data-kind=\"run\" aria-label=\"Cell 1\">\n"
        "<pre><code class=\"source\">x = 2\nx &lt; 3</code></pre>\n"
        "<div class=\"output\" data-cell=\"cell-1\">\n"
        "<div class=\"text\"><pre>True</pre></div>\n</div>\n</section>\n");
    has(lesson, LANGUAGE_ENGLISH,
        "data-kind=\"error\" aria-label=\"Cell 2, ends in an error\">\n"
        "<pre><code class=\"source\">[1, 2] @ [1]</code></pre>\n<details class=\"fold "
        "answer\"><summary>Output</summary>\n<div class=\"output\" " /* a prediction stands above */
        "data-cell=\"cell-3\">\n<div class=\"error\"><pre tabindex=");
    has(lesson, LANGUAGE_ENGLISH, "role=\"img\" aria-label=\"Heatmap: ");
    has(lesson, LANGUAGE_ENGLISH, "<div class=\"text\"><pre>7</pre></div>\n<figure");
}
END_TEST

START_TEST(questions) {
    has(lesson, LANGUAGE_ENGLISH,
        "<p>How <em>much</em>?</p>\n<details class=\"fold answer\"><summary>Answer</summary>\n"
        "<pre><code class=\"source\">x + 3</code></pre>\n<div class=\"output\" "
        "data-cell=\"cell-2\">\n<div class=\"text\"><pre>5</pre></div>\n");
    has(lesson, language_from_name("zh"),
        "<section class=\"question exercise\" id=\"mix\" data-kind=\"exercise\" "
        "aria-labelledby=\"page-title-mix\">\n<h3 class=\"label\" id=\"page-title-mix\">练习 "
        "1</h3>\n<p>Make <code>y</code>.</p>\n<details class=\"fold hint\"><summary>提示 "
        "1/2</summary>\n<p>Add.</p>\n</details>\n");
    has(lesson, LANGUAGE_ENGLISH,
        "<li><details><summary>one</summary>\n<p class=\"right\"><strong>right</strong>: because "
        "<code>1</code></p></details></li>\n<li><details><summary><em>two</em></summary>\n"
        "<p class=\"wrong\"><strong>not right</strong>: no</p></details></li>\n");
}
END_TEST

START_TEST(prose) {
    has("```attn\nx = '#' # \"a\ny = 2\n```", LANGUAGE_ENGLISH,
        "<code class=\"source\">x = &#39;#&#39; <i># &quot;a</i>\ny = 2</code>");
    has("注意\n力 ok\nyes", language_from_name("zh"), "<p>注意力 ok\nyes</p>");
    has("3. a\n4. b\n", LANGUAGE_ENGLISH, "<ol start=\"3\">\n<li>a</li>\n<li>b</li>\n</ol>\n");
    has("|a|b|\n|:--|--:|\n|1|**2**|\n", LANGUAGE_ENGLISH,
        "<thead>\n<tr><th class=\"to-left\">a</th><th class=\"to-right\">b</th></tr>\n</thead>\n"
        "<tbody>\n<tr><td class=\"to-left\">1</td><td class=\"to-right\"><strong>2</strong></td>");
    has("a<b>c</b> <!-- given --> [x](a.md) [y](https://y.org/?a&b) & \x1b", LANGUAGE_ENGLISH,
        "<p>ac  x <a href=\"https://y.org/?a&amp;b\">y</a> &amp; ␛</p>");
    has("```attn\nprint('猫|')\n```", language_from_name("zh"), "<pre><span>猫</span>|</pre>");
}
END_TEST

/* Of what a stranger writes, nothing runs in the page, leaves its attribute, or turns text round.
 */
START_TEST(hostile_documents) {
    static const char *const documents[] = {
        "<script>alert(1)</script>",
        "x <img src=x onerror=alert(1)>",
        "[a](javascript:alert(1)) [b](JaVaScRiPt:alert(1)) [c](<java\tscript:alert(1)>)",
        "[d](&#106;avascript:alert(1)) [e](vbscript:x) <javascript:alert(1)>",
        "[f](data:text/html,x) ![g](javascript:alert(1)) [h](  //evil)",
        ("[i](http://a\"onmouseover=\"alert(1)) ![\" onerror=\"alert(1)](a.png \"t\\\" "
         "onload=\\\"x\")"),
        "$</script><script>alert(1)</script>$",
        "```\"><script>alert(1)</script>\nx\n```",
        "```attn\nprint('<script>alert(1)</script> \xE2\x80\xAE')\n```",
        "```attn\nset tokens ['<script>', '\" onerror=']\nX = eye(2)\nattend\nplot weights\n```",
        "# <script>alert(1)</script> \xE2\x80\xAE\" onload=\"x"};
    static const char *const never[] = {"<script",      "<img src=x",   "=\"javascript:", "=\"JaVa",
                                        "=\"vbscript:", "=\"data:text", "=\"//",          "\" on",
                                        "\"on",         "\xE2\x80\xAE"};
    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
        Text out = TEXT_EMPTY;
        Error err = {.kind = ERR_NONE};
        ck_assert_msg(write_document(documents[i], LANGUAGE_ENGLISH, html_page_write, &out, &err),
                      "%s", err.message);
        for (size_t k = 0; k < sizeof never / sizeof *never; k++)
            ck_assert_msg(!strstr(out.data, never[k]), "%s gives %s:\n%s", documents[i], never[k],
                          strstr(out.data, "<main"));
        text_release(&out);
    }
}
END_TEST

START_TEST(lessons_as_a_site) {
    Site site;
    SiteFrame frame;
    Text index = TEXT_EMPTY, target = TEXT_EMPTY;
    ck_assert(site_read_lessons(&site, NULL));
    site.has_index = site.has_glossary = true;
    ck_assert_uint_ge(site.count, 12);
    ck_assert_str_eq(site.documents[1].name, "en/02-softmax-temperature.md");
    site_frame(&site, 1, &frame);
    ck_assert_str_eq(frame.page.links[PAGE_PREVIOUS].target, "01-soft-lookup.html");
    ck_assert_str_eq(frame.page.links[PAGE_INDEX].target, "../index.html");
    ck_assert_str_eq(frame.page.links[PAGE_TRANSLATION].target,
                     "../zh/02-softmax-temperature.html");
    ck_assert_str_eq(frame.page.links[PAGE_TRANSLATION].title, "中文");
    ck_assert(frame.page.resolve(&frame, "./../zh/05-scaling.md#big", &target));
    ck_assert_str_eq(target.data, "../zh/05-scaling.html#big");
    ck_assert(!frame.page.resolve(&frame, "../../x.md", &target));
    site_frame_release(&frame);

    site_write_index(&index, &site, LANGUAGE_ENGLISH);
    ck_assert_ptr_nonnull(strstr(index.data, "href=\"index.zh.html\">中文</a>"));
    ck_assert_ptr_nonnull(
        strstr(index.data,
               "<li id=\"lesson-2\" value=\"2\"><a href=\"en/02-softmax-temperature.html\">"
               "Softmax and temperature</a>\n<span>25 min · needs <a href=\"#lesson-1\">1</a> · "
               "leads to <a href=\"#lesson-3\">3</a>, <a href=\"#lesson-4\">4</a>, "));
    /* What is searched: a section's words, and what its cells run, but nothing that is folded. */
    const char *entry = strstr(index.data, "href=\"en/01-soft-lookup.html#section-5\">");
    ck_assert_ptr_nonnull(entry);
    ck_assert_ptr_nonnull(strstr(entry, "A soft lookup › Turn the query</a>\n<p>"));
    ck_assert_ptr_null(strstr(index.data, "not divided yet"));
    text_clear(&index);
    site_write_index(&index, &site, 1);
    ck_assert_ptr_nonnull(strstr(index.data, "href=\"zh/07-order.html\">顺序</a>"));
    ck_assert_ptr_nonnull(strstr(index.data, "href=\"index.html\">English</a>"));

    text_clear(&index);
    ck_assert(site_write_glossary(&index, &site, LANGUAGE_ENGLISH, NULL));
    ck_assert_ptr_nonnull(
        strstr(index.data, "<dt>temperature <span lang=\"zh-Hans\">温度</span></dt>\n<dd>"));
    ck_assert_ptr_nonnull(
        strstr(index.data, " <a href=\"en/02-softmax-temperature.html#section-2\">Lesson 2: "));
    ck_assert_ptr_nonnull(
        strstr(index.data, "<li>snapshot <span lang=\"zh-Hans\">快照</span></li>"));
    text_release(&index);
    text_release(&target);
    site_release(&site);
}
END_TEST

/* Memory that runs out on the way leaves no page that looks whole. */
START_TEST(pages_of_a_site_fail) {
    Site site;
    ck_assert(site_read_lessons(&site, NULL));
    site.has_index = site.has_glossary = true;
    for (int page = 0; page < 2; page++) {
        size_t whole = 0;
        for (long n = 0; n < 1000000; n = 2 * n + 1) {
            Text out = TEXT_EMPTY;
            Error err = {.kind = ERR_NONE};
            size_t used = mem_used();
            mem_fail_at(n, true);
            bool ok = page == 0 || site_write_glossary(&out, &site, LANGUAGE_ENGLISH, &err);
            if (page == 0) site_write_index(&out, &site, LANGUAGE_ENGLISH);
            ok = ok && text_ok(&out, &err);
            mem_fail_at(0, false);
            if (n == 0) whole = out.length;
            ck_assert(ok ? out.length == whole : err.kind == ERR_LIMIT);
            text_release(&out);
            ck_assert_uint_eq(mem_used(), used);
        }
    }
    site_release(&site);
}
END_TEST

START_TEST(stored_outputs) {
    has("```attn\nprint(none)\n```\n```attn output\n\n  a\n```\n", LANGUAGE_ENGLISH,
        "<div class=\"text\"><pre>\n\n  a</pre></div>\n");
    has("```attn\n1\n```\n```attn output picture a &amp; \"b\"\n▓\n```\n", LANGUAGE_ENGLISH,
        "<pre tabindex=\"0\" role=\"img\" aria-label=\"a &amp; &quot;b&quot;\">\n▓</pre>");
}
END_TEST

static Session *session_at(Recorder *recorder, bool interactive) {
    recorder_init(recorder);
    recorder->host.interactive = interactive;
    Session *session = session_new(&recorder->host, NULL, NULL);
    ck_assert_ptr_nonnull(session);
    return session;
}

static void run_code(Session *session, const char *code) {
    Error err = {.kind = ERR_NONE};
    ck_assert_msg(session_run_text(session, "", code, strlen(code), &err), "%s: %s", code,
                  err.message);
}

START_TEST(saved_session_runs_again) {
    /* What the prompt computed anew after an assignment, the document computes, too; and what undo
     * takes back there, it takes back here. */
    Recorder typed, read;
    Error err = {.kind = ERR_NONE};
    Session *prompt = session_at(&typed, true), *reader = session_at(&read, false);
    run_code(prompt, "Q = K = V = [[1, 2], [3, 4]]\nattend\nQ = [[0, 1], [1, 0]]\nif True:\n"
                     "    K[0, 1] = 7\n\nV[0, :] = 1; x = 2;\nV = 3 * V\nundo\nQ[0, 0]");
    const Text *saved = &prompt->transcript.cells;
    ck_assert_msg(notebook_run(reader, session_run_text, "a.md", saved->data, saved->length, &err),
                  "%s\n%s", saved->data, err.message);
    run_code(prompt, "set digits 17;");
    run_code(reader, "set digits 17;");
    size_t from = typed.text.length, from_read = read.text.length;
    run_code(prompt, "print(last.weights, last.output, Q, K, V, x)");
    run_code(reader, "print(last.weights, last.output, Q, K, V, x)");
    ck_assert_str_eq(typed.text.data + from, read.text.data + from_read);
    session_free(prompt);
    session_free(reader);
    recorder_release(&typed);
    recorder_release(&read);
}
END_TEST

/* Writes the document with its outputs, so that the one with outputs can be tried, too. */
static void store_outputs(Text *out) {
    Error err = {.kind = ERR_NONE};
    ck_assert_msg(write_document(lesson, LANGUAGE_ENGLISH, markdown_write, out, &err), "%s",
                  err.message);
}

static bool write_failing(const char *markdown, Write *write, long n, bool sticky) {
    Text out = TEXT_EMPTY;
    Error err = {.kind = ERR_NONE};
    long before = mem_requests();
    size_t used = mem_used();
    mem_fail_at(n, sticky);
    bool ok = write_document(markdown, LANGUAGE_ENGLISH, write, &out, &err);
    bool reached = mem_requests() - before >= n;
    mem_fail_at(0, false);
    text_release(&out);
    ck_assert_msg(ok || err.kind == ERR_LIMIT, "allocation %ld: %s", n, err.message);
    ck_assert_msg(mem_used() == used, "allocation %ld: not everything is given back", n);
    return reached;
}

START_TEST(each_allocation_fails) {
    Write *const writers[] = {html_page_write, jupyter_write, markdown_write};
    Text stored = TEXT_EMPTY;
    store_outputs(&stored);
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
        long n = 1;
        while (write_failing(lesson, writers[i], n, false)) n++;
        ck_assert_int_gt(n, 100);
        for (n = 1; write_failing(stored.data, writers[i], n, true); n++) continue;
    }
    text_release(&stored);
}
END_TEST

Suite *export_suite(void) {
    Suite *suite = suite_create("export");
    TCase *tests = tcase_create("export");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, cells);
    tcase_add_test(tests, questions);
    tcase_add_test(tests, prose);
    tcase_add_test(tests, hostile_documents);
    tcase_add_test(tests, lessons_as_a_site);
    tcase_add_test(tests, pages_of_a_site_fail);
    tcase_add_test(tests, stored_outputs);
    tcase_add_test(tests, saved_session_runs_again);
    tcase_add_test(tests, each_allocation_fails);
    suite_add_tcase(suite, tests);
    return suite;
}
