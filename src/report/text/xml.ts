/** Text for an XML attribute or element. Characters that XML 1.0 forbids are written as `\uXXXX`; the rest of Unicode stays. */
export const xml = (text: string): string =>
  text
    .replace(
      // eslint-disable-next-line no-control-regex -- XML 1.0 forbids them even as references
      /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffe\uffff]|\p{Cs}/gu,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
    .replace(/[&<>"'\r\n\t]/g, (character) => `&#${String(character.charCodeAt(0))};`);
