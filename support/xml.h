// XML as it is written: elements with attributes, texts between them. What is no character of XML
// becomes U+FFFD.
#ifndef TMLC_SUPPORT_XML_H
#define TMLC_SUPPORT_XML_H

#include "support/buffer.h"

#include <stdbool.h>

// Whether a text is UTF-8 of characters that XML has, so that it can be read back as it is.
bool xml_has(const char *text, size_t len);
// Appends a text, in which nothing is markup: for contents.
void xml_text(Buffer *out, const char *text, size_t len);
// The same for values between `"`, where readers take tabs and ends of lines for blanks.
void xml_value(Buffer *out, const char *text, size_t len);
// Appends ` name="value"`.
void xml_attribute(Buffer *out, const char *name, const char *value);

#endif
