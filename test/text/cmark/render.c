/*
 * Renders texts with cmark-gfm as GitHub does it: extensions, footnotes, raw HTML; sanitising comes after it. Reads from
 * standard input, for each text, its length as four bytes (little endian) and its bytes; writes the same of the HTML.
 */
#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int OPTIONS = CMARK_OPT_UNSAFE | CMARK_OPT_FOOTNOTES | CMARK_OPT_GITHUB_PRE_LANG;

/* "tagfilter" is left to the caller, which compares what is shown. */
static const char *EXTENSIONS[] = {"table", "strikethrough", "autolink", "tasklist"};

static char *render(const char *text, size_t length) {
  cmark_parser *parser = cmark_parser_new(OPTIONS);
  for (size_t i = 0; i < sizeof EXTENSIONS / sizeof *EXTENSIONS; i++)
    cmark_parser_attach_syntax_extension(parser, cmark_find_syntax_extension(EXTENSIONS[i]));
  cmark_parser_feed(parser, text, length);
  cmark_node *document = cmark_parser_finish(parser);
  char *html = cmark_render_html(document, OPTIONS, cmark_parser_get_syntax_extensions(parser));
  cmark_node_free(document);
  cmark_parser_free(parser);
  return html;
}

int main(void) {
  unsigned char head[4];
  cmark_gfm_core_extensions_ensure_registered();
  while (fread(head, 1, sizeof head, stdin) == sizeof head) {
    uint32_t length = head[0] | head[1] << 8 | head[2] << 16 | (uint32_t)head[3] << 24;
    char *text = malloc(length + 1);
    if (text == NULL || fread(text, 1, length, stdin) != length) return 1;
    char *html = render(text, length);
    uint32_t size = strlen(html);
    for (int i = 0; i < 4; i++) putchar(size >> (8 * i) & 0xff);
    fwrite(html, 1, size, stdout);
    free(html);
    free(text);
  }
  return fflush(stdout);
}
