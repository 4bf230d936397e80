import type { Script } from './drive.js';
import { ROOT } from './server-process.js';

/** How clients of 2025 are served after a migration; `auto` leaves the choice to the tool. */
export type LiveLane = 'auto' | 'stateless' | 'sessionful' | 'separate' | 'none';

/** A legacy server of our own, with what its clients see. */
export interface Shape {
  readonly name: string;
  readonly folder: string;
  /** Entry file, relative to the folder. */
  readonly entry: string;
  /** Does it mint session ids before it is migrated? */
  readonly sessions: boolean;
  /** Path of the stream of a server of HTTP+SSE; its modern endpoint is added at `/mcp`. */
  readonly streams?: string;
  /** Legacy lanes that a migration without a hand edit must reach. */
  readonly lanes: readonly LiveLane[];
  /** Checks of `verify` that its platform rules out, e.g. streams where answers are taken whole. */
  readonly unserved?: readonly string[];
  /** Part of `npm test`; the others run in `npm run live:all`. */
  readonly quick: boolean;
  readonly script: Script;
}

const at = (name: string): Pick<Shape, 'name' | 'folder' | 'entry'> => ({ name, folder: `${ROOT}test/live/shapes/${name}`, entry: 'src/server.ts' });

/** The bundled example: the loan desk of a town library. */
export const EXAMPLE: Shape = {
  name: 'loan-desk',
  folder: `${ROOT}test/live/example`,
  entry: 'src/server.ts',
  sessions: true,
  lanes: ['auto', 'stateless', 'sessionful', 'separate', 'none'],
  quick: false,
  script: {
    tools: ['find_book', 'place_hold', 'take_inventory'],
    calls: [
      { tool: 'find_book', input: { words: 'mosses' }, answer: 'NAT-140 A Field Guide to Mosses (1 in)' },
      { tool: 'place_hold', input: { shelfmark: 'HIS-031', card: '7003' }, answer: 'HIS-031: position 1' },
      { tool: 'take_inventory', input: {}, answer: '7 copies on 3 shelves' },
    ],
    resources: [{ uri: 'library://opening-hours', text: 'Tuesday to Saturday, 10:00 to 18:00' }],
    progress: { tool: 'take_inventory', input: {}, reports: 3 },
    echo: {
      tool: 'find_book',
      input: (index) => ({ words: ['rivers', 'mosses', 'salt', 'lighthouse'][index % 4] ?? '' }),
      answer: (index) =>
        [
          'NAT-112 Rivers of the Lowlands (2 in)',
          'NAT-140 A Field Guide to Mosses (1 in)',
          'HIS-031 The Salt Roads (0 in)',
          'CHI-208 The Lighthouse Cat (4 in)',
        ][index % 4] ?? '',
    },
  },
};

export const SHAPES: readonly Shape[] = [
  EXAMPLE,
  {
    ...at('express-sessions-parser'),
    sessions: true,
    lanes: ['auto', 'stateless', 'sessionful', 'separate', 'none'],
    quick: true,
    script: {
      tools: ['next_crossing', 'sound_horn'],
      calls: [
        { tool: 'next_crossing', input: { pier: 'Nordkai', after: 5 }, answer: 'Nordkai: 25 minutes past' },
        { tool: 'sound_horn', input: { blasts: 2 }, answer: 'TT' },
      ],
      resources: [{ uri: 'ferry://timetable', text: 'every 20 minutes' }],
      prompts: [{ name: 'announce', input: { pier: 'Nordkai' }, text: 'Announce the ferry at Nordkai' }],
      progress: { tool: 'sound_horn', input: { blasts: 3 }, reports: 3 },
      echo: {
        tool: 'next_crossing',
        input: (index) => ({ pier: `pier ${index}`, after: index }),
        answer: (index) => `pier ${index}: ${index + 20} minutes past`,
      },
    },
  },
  {
    ...at('express-sessions-bare'),
    sessions: true,
    lanes: ['auto', 'stateless', 'sessionful', 'separate', 'none'],
    quick: true,
    script: {
      tools: ['weigh_hive'],
      calls: [{ tool: 'weigh_hive', input: { hive: 4 }, answer: 'hive 4: 34 kg' }],
      resources: [{ uri: 'apiary://season', text: 'linden bloom' }],
      echo: { tool: 'weigh_hive', input: (index) => ({ hive: index }), answer: (index) => `hive ${index}: ${30 + index} kg` },
    },
  },
  {
    ...at('express-stateless-parser'),
    sessions: false,
    lanes: ['auto', 'stateless', 'separate', 'none'],
    quick: true,
    script: {
      tools: ['firing_time'],
      calls: [{ tool: 'firing_time', input: { celsius: 1200, perHour: 150 }, answer: '8 h' }],
      resources: [],
      echo: { tool: 'firing_time', input: (index) => ({ celsius: index * 100, perHour: 100 }), answer: (index) => `${index} h` },
    },
  },
  {
    ...at('express-stateless-bare'),
    sessions: false,
    lanes: ['auto', 'stateless', 'separate', 'none'],
    quick: false,
    script: {
      tools: ['wind_at'],
      calls: [{ tool: 'wind_at', input: { metres: 80 }, answer: '80 m: 12 m/s' }],
      resources: [],
      echo: { tool: 'wind_at', input: (index) => ({ metres: index * 10 }), answer: (index) => `${index * 10} m: ${index + 4} m/s` },
    },
  },
  {
    ...at('express-sessions-class'),
    sessions: true,
    lanes: ['auto', 'stateless', 'sessionful', 'separate', 'none'],
    quick: false,
    script: {
      tools: ['germination'],
      calls: [{ tool: 'germination', input: { lot: 12 }, answer: 'lot 12: 8 days' }],
      resources: [{ uri: 'seeds://vault', text: 'minus 18 degrees' }],
      echo: { tool: 'germination', input: (index) => ({ lot: index }), answer: (index) => `lot ${index}: ${5 + (index % 9)} days` },
    },
  },
  {
    ...at('express-sessions-modules'),
    sessions: true,
    lanes: ['auto', 'stateless', 'sessionful', 'separate', 'none'],
    quick: false,
    script: {
      tools: ['altitude'],
      calls: [{ tool: 'altitude', input: { star: 'Vega', hour: 10 }, answer: 'Vega at 10: 80 degrees' }],
      resources: [],
      echo: {
        tool: 'altitude',
        input: (index) => ({ star: `HD ${index}`, hour: index % 24 }),
        answer: (index) => `HD ${index} at ${index % 24}: ${90 - Math.abs(12 - (index % 24)) * 5} degrees`,
      },
    },
  },
  {
    ...at('node-http-sessions'),
    sessions: true,
    lanes: ['auto', 'stateless', 'sessionful', 'separate', 'none'],
    quick: false,
    script: {
      tools: ['high_water'],
      calls: [{ tool: 'high_water', input: { quay: 'East quay', day: 2 }, answer: "East quay, day 2: 4 o'clock" }],
      resources: [{ uri: 'tide://moon', text: 'waxing' }],
      echo: {
        tool: 'high_water',
        input: (index) => ({ quay: `quay ${index}`, day: index }),
        answer: (index) => `quay ${index}, day ${index}: ${(index * 50) % 24} o'clock`,
      },
    },
  },
  {
    ...at('node-http-stateless'),
    sessions: false,
    lanes: ['auto', 'stateless', 'separate', 'none'],
    quick: false,
    script: {
      tools: ['price'],
      calls: [{ tool: 'price', input: { grams: 250, perKilo: 12 }, answer: '3.00 crowns' }],
      resources: [],
      echo: { tool: 'price', input: (index) => ({ grams: index * 100, perKilo: 10 }), answer: (index) => `${index}.00 crowns` },
    },
  },
  {
    ...at('node-http-sse'),
    sessions: false,
    streams: '/sse',
    lanes: ['auto', 'none'],
    quick: false,
    script: {
      tools: ['load_of'],
      calls: [{ tool: 'load_of', input: { belt: 4 }, answer: 'belt 4: 13 t' }],
      resources: [],
      echo: { tool: 'load_of', input: (index) => ({ belt: index }), answer: (index) => `belt ${index}: ${index * 3 + 1} t` },
    },
  },
  {
    ...at('fastify-sse'),
    sessions: false,
    streams: '/sse',
    lanes: ['auto', 'none'],
    quick: false,
    script: {
      tools: ['fill_level'],
      calls: [{ tool: 'fill_level', input: { bin: 9 }, answer: 'bin 9: 63 %' }],
      resources: [],
      echo: { tool: 'fill_level', input: (index) => ({ bin: index }), answer: (index) => `bin ${index}: ${(index * 7) % 100} %` },
    },
  },
  {
    ...at('hono-sessions'),
    sessions: true,
    lanes: ['auto', 'stateless', 'sessionful', 'separate', 'none'],
    quick: false,
    script: {
      tools: ['humidity'],
      calls: [{ tool: 'humidity', input: { bed: 7 }, answer: 'bed 7: 67 %' }],
      resources: [],
      echo: { tool: 'humidity', input: (index) => ({ bed: index }), answer: (index) => `bed ${index}: ${60 + (index % 30)} %` },
    },
  },
  {
    ...at('elysia-sessions'),
    sessions: true,
    lanes: ['auto', 'stateless', 'sessionful', 'separate', 'none'],
    quick: false,
    script: {
      tools: ['flight_time'],
      calls: [{ tool: 'flight_time', input: { miles: 12 }, answer: '12 miles: 36 minutes' }],
      resources: [],
      echo: { tool: 'flight_time', input: (index) => ({ miles: index }), answer: (index) => `${index} miles: ${index * 3} minutes` },
    },
  },
  {
    ...at('fastify-plugin'),
    sessions: true,
    lanes: ['auto', 'stateless', 'sessionful', 'separate', 'none'],
    quick: false,
    script: {
      tools: ['strikes'],
      calls: [{ tool: 'strikes', input: { hour: 15 }, answer: '3 strikes' }],
      resources: [],
      echo: { tool: 'strikes', input: (index) => ({ hour: index }), answer: (index) => `${index % 12 === 0 ? 12 : index % 12} strikes` },
    },
  },
  {
    ...at('fetch-function'),
    sessions: false,
    lanes: ['auto', 'sessionful'],
    quick: false,
    script: {
      tools: ['postage'],
      calls: [{ tool: 'postage', input: { grams: 20 }, answer: '1 stamps' }],
      resources: [],
      echo: { tool: 'postage', input: (index) => ({ grams: index * 50 }), answer: (index) => `${index === 0 ? 1 : index + 1} stamps` },
    },
  },
  {
    // The entry is asked in place of the transport, so that checks and the form of the answer stay for both eras.
    ...at('lambda-events'),
    sessions: false,
    lanes: ['auto'],
    unserved: ['CK-H54', 'CK-H55'],
    quick: false,
    script: {
      tools: ['net_weight'],
      calls: [{ tool: 'net_weight', input: { gross: 900, tare: 340 }, answer: '560 kg' }],
      resources: [],
      echo: { tool: 'net_weight', input: (index) => ({ gross: 500 + index, tare: 100 }), answer: (index) => `${400 + index} kg` },
    },
  },
  {
    ...at('koa-router'),
    sessions: true,
    lanes: ['auto', 'stateless', 'sessionful', 'separate', 'none'],
    quick: false,
    script: {
      tools: ['loaves'],
      calls: [{ tool: 'loaves', input: { kilos: 10 }, answer: '16 loaves' }],
      resources: [],
      echo: { tool: 'loaves', input: (index) => ({ kilos: index }), answer: (index) => `${Math.floor(index * 1.6)} loaves` },
    },
  },
  {
    ...at('nest-controller'),
    sessions: true,
    lanes: ['auto', 'stateless', 'sessionful', 'separate', 'none'],
    quick: false,
    script: {
      tools: ['strands'],
      calls: [{ tool: 'strands', input: { millimetres: 16 }, answer: '4 strands' }],
      resources: [],
      echo: { tool: 'strands', input: (index) => ({ millimetres: index * 4 }), answer: (index) => `${Math.max(3, index)} strands` },
    },
  },
];
