/**
 * The oldest browsers that the console supports. 108 and 109 are the last Chromium for Windows 7 and the base of many
 * browsers in control rooms (360, UOS); Firefox 115 ESR is the last one for Windows 7.
 */
export const OLDEST = { chrome: 108, firefox: 115 } as const

/** Functions that the console brings along (apps/console/src/app/old-browsers.ts). */
export const PROVIDED: ReadonlySet<string> = new Set(['toReversed', 'toSorted', 'with', 'URL.canParse'])

/** Functions that libraries use only after a check that the browser has them; each with its library. */
export const DETECTED: ReadonlyMap<string, string> = new Map([
  ['toHex', '@noble/hashes'],
  ['Uint8Array.fromHex', '@noble/hashes'],
  ['startViewTransition', 'react-dom, react-router'],
  ['skipTransition', 'react-router'],
  ['Error.captureStackTrace', 'zod'],
  ['AbortSignal.timeout', 'Chromium 103 to 123 only names the reason of its abort otherwise'],
])

/** Own methods and methods of libraries with the name of a new function of the language; each with its owner. */
export const NAMESAKES: ReadonlyMap<string, string> = new Map([
  ['union', 'echarts, a rectangle'],
  ['resize', 'echarts, a chart'],
  ['take', 'console, names on the map'],
])

/** CSS without which a page looks plainer but stays whole, or is only slower. */
export const DECORATIVE: ReadonlySet<string> = new Set([
  '-webkit-tap-highlight-color',
  '-webkit-touch-callout',
  'content-visibility',
  'overscroll-behavior',
  'text-wrap',
  'scrollbar-color',
  'scrollbar-width',
  'print-color-adjust',
])
