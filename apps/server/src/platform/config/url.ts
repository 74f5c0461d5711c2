import { z } from 'zod'

/** A URL of one of some protocols. */
export const urlOf = (...protocols: readonly string[]) =>
  z.url({
    protocol: new RegExp(`^(${protocols.join('|').replaceAll('+', '\\+')})$`),
    error: `is not a ${protocols.join('/')} URL`,
  })

/** The parts of a list in one variable. */
export const splitAtCommas = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** One host of a Content-Security-Policy. No character of it can end the directive. */
const ORIGIN = /^https?:\/\/[a-z0-9.-]+(?::\d{1,5})?$/
export const NOT_ORIGINS = 'is not a list of origins such as https://portal.example.com'

export const areOrigins = (texts: readonly string[]): boolean =>
  texts.every((text) => ORIGIN.test(text) && URL.canParse(text) && new URL(text).origin === text)

/** Origin of a URL of map tiles; undefined for an invalid URL or one without {z}, {x} and {y}. */
export function findTileOrigin(text: string): string | undefined {
  if (!['{z}', '{x}', '{y}'].every((place) => text.includes(place))) return undefined
  const { origin } = URL.parse(text) ?? { origin: '' }
  return areOrigins([origin]) ? origin : undefined
}
