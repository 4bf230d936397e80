/** A title on the shelves, with the copies that are in the building today. */
export interface Book {
  shelfmark: string;
  title: string;
  author: string;
  copies: number;
}

const books: Book[] = [
  { shelfmark: 'NAT-112', title: 'Rivers of the Lowlands', author: 'M. Okafor', copies: 2 },
  { shelfmark: 'NAT-140', title: 'A Field Guide to Mosses', author: 'L. Brandt', copies: 1 },
  { shelfmark: 'HIS-031', title: 'The Salt Roads', author: 'P. Iwata', copies: 0 },
  { shelfmark: 'CHI-208', title: 'The Lighthouse Cat', author: 'S. Quist', copies: 4 },
];

/** Holds by shelfmark: card numbers in the order in which they will be served. */
const holds = new Map<string, string[]>();

export function findBooks(words: string): Book[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return books.filter(book => wanted.every(word => `${book.title} ${book.author}`.toLowerCase().includes(word)));
}

export function bookAt(shelfmark: string): Book | undefined {
  return books.find(book => book.shelfmark === shelfmark);
}

/** Places a hold and answers the position in the queue, starting at 1. */
export function placeHold(shelfmark: string, card: string): number {
  const queue = holds.get(shelfmark) ?? [];
  if (!queue.includes(card)) queue.push(card);
  holds.set(shelfmark, queue);
  return queue.indexOf(card) + 1;
}

export function shelves(): string[] {
  return [...new Set(books.map(book => book.shelfmark.slice(0, 3)))].sort();
}

export function copiesOn(shelf: string): number {
  return books.filter(book => book.shelfmark.startsWith(shelf)).reduce((sum, book) => sum + book.copies, 0);
}
