/**
 * Encodings that a Python file declares in its first two lines (PEP 263). Other files are UTF-8. What is read in another encoding is
 * written back in it, byte for byte outside of the edits.
 */

/** Lines that may declare the encoding. Source: PEP 263, which takes the first two, the second only below a blank line or a comment. */
const DECLARATION = /^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/;
const BLANK = /^[ \t\f]*(?:#.*)?$/;
const PYTHON = /\.py[iw]?$/i;
/** A declaration stands in the first bytes; a longer first line is no comment that somebody wrote. */
const HEAD = 1024;

/** Python's names of what Node's decoders know under another one. Source: the aliases of CPython's `encodings`. */
const LABELS: Readonly<Record<string, string>> = {
  ascii: 'ascii',
  'us-ascii': 'ascii',
  646: 'ascii',
  'latin-1': 'latin-1',
  latin1: 'latin-1',
  latin: 'latin-1',
  l1: 'latin-1',
  'iso-8859-1': 'latin-1',
  'iso8859-1': 'latin-1',
  8859: 'latin-1',
  cp819: 'latin-1',
  'latin-9': 'iso-8859-15',
  latin9: 'iso-8859-15',
  l9: 'iso-8859-15',
  'latin-2': 'iso-8859-2',
  cp866: 'ibm866',
  'koi8-r': 'koi8-r',
  'koi8-u': 'koi8-u',
  'mac-roman': 'macintosh',
  macroman: 'macintosh',
  cp932: 'shift_jis',
  sjis: 'shift_jis',
  'shift-jis': 'shift_jis',
  'euc-jp': 'euc-jp',
  eucjp: 'euc-jp',
  'euc-kr': 'euc-kr',
  euckr: 'euc-kr',
  cp949: 'euc-kr',
  cp936: 'gbk',
  gbk: 'gbk',
  gb2312: 'gbk',
  big5: 'big5',
  cp950: 'big5',
};
const UTF8 = /^(?:utf-?8(?:-.*)?|u8|cp65001)$/;

/** What a file says about its encoding. */
interface Declared {
  /** As the file spells it. */
  readonly spelled: string;
  /** The encoding to decode with; `undefined` for one that is not known here. */
  readonly label: string | undefined;
}

/** The encoding that a Python file declares, when it is not UTF-8. */
export function declaredEncoding(path: string, bytes: Uint8Array): Declared | undefined {
  if (!PYTHON.test(path)) return undefined;
  const [first = '', second = ''] = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(HEAD, bytes.length))
    .toString('latin1')
    .split(/\r\n|\r|\n/);
  const spelled = DECLARATION.exec(first)?.[1] ?? (BLANK.test(first) ? DECLARATION.exec(second)?.[1] : undefined);
  if (spelled === undefined) return undefined;
  const name = spelled.toLowerCase().replaceAll('_', '-');
  return UTF8.test(name) ? undefined : { spelled, label: labelOf(name) };
}

function labelOf(name: string): string | undefined {
  const known = LABELS[name];
  if (known !== undefined) return known;
  const windows = /^(?:cp|windows-)?(125\d)$/.exec(name)?.[1];
  const iso = /^iso-?8859-(\d+)$/.exec(name)?.[1];
  return windows !== undefined ? `windows-${windows}` : iso !== undefined ? `iso-8859-${iso}` : undefined;
}

/**
 * Text of bytes in an encoding, when the same bytes come back from the text.
 * @returns `undefined` when they would not, so that nothing is ever written that was not read
 */
export function decodeAs(label: string, bytes: Uint8Array): string | undefined {
  const decoded = plain(label, bytes);
  return decoded !== undefined && encodeAs(label, decoded)?.equals(bytes) === true ? decoded : undefined;
}

/** Signs of windows-1252 from 0x80 to 0x9f, which some releases of Node decode as latin-1. Source: the index of the WHATWG. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

function plain(label: string, bytes: Uint8Array): string | undefined {
  if (label === 'ascii' && bytes.some((byte) => byte > 0x7f)) return undefined;
  // The decoder of that name is one of windows-1252, by the standard of the web.
  if (label === 'latin-1' || label === 'ascii') return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  if (label === 'windows-1252')
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
      .toString('latin1')
      .replace(/[\x80-\x9f]/g, (sign) => WINDOWS_1252.charAt(sign.charCodeAt(0) - 0x80));
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Bytes of a text in an encoding; UTF-8 without one.
 * @returns `undefined` when the encoding has no sign for a character of the text
 */
export function encodeAs(label: string | undefined, text: string): Buffer | undefined {
  if (label === undefined) return Buffer.from(text, 'utf8');
  const signs = signsOf(label);
  const bytes: number[] = [];
  for (const character of Array.from(text)) {
    const sign = character.charCodeAt(0) < 0x80 ? undefined : signs.get(character);
    if (sign !== undefined) bytes.push(...sign);
    else if (character.charCodeAt(0) < 0x80) bytes.push(character.charCodeAt(0));
    else return undefined;
  }
  return Buffer.from(bytes);
}

const tables = new Map<string, ReadonlyMap<string, readonly number[]>>();

/** Bytes of every sign of an encoding with one or two bytes a sign, beyond ASCII. */
function signsOf(label: string): ReadonlyMap<string, readonly number[]> {
  const known = tables.get(label);
  if (known) return known;
  const signs = new Map<string, readonly number[]>();
  const keep = (...sign: readonly number[]): boolean => {
    const text = plain(label, Uint8Array.from(sign));
    if (text === undefined || Array.from(text).length !== 1) return false;
    if (!signs.has(text)) signs.set(text, sign);
    return true;
  };
  for (let lead = 0x80; lead < 0x100; lead++) if (!keep(lead)) for (let trail = 0x40; trail < 0x100; trail++) keep(lead, trail);
  tables.set(label, signs);
  return signs;
}
