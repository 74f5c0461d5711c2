import { readAll } from './map-colours.ts'

const names = [
  'green',
  'water',
  'building',
  'building-edge',
  'street',
  'street-edge',
  'main-street',
  'main-street-edge',
  'path',
  'rail',
  'text',
  'halo',
] as const

/** Colours of the base map. */
export type GroundColours = Readonly<Record<(typeof names)[number], string>>

/** Colours of the base map in the current theme (sheet/map.module.css). */
export function readGroundColours(): GroundColours {
  const read = readAll(names.map((name) => `var(--map-${name})`))
  const of = (name: (typeof names)[number]) => read[names.indexOf(name)] ?? ''
  return {
    green: of('green'),
    water: of('water'),
    building: of('building'),
    'building-edge': of('building-edge'),
    street: of('street'),
    'street-edge': of('street-edge'),
    'main-street': of('main-street'),
    'main-street-edge': of('main-street-edge'),
    path: of('path'),
    rail: of('rail'),
    text: of('text'),
    halo: of('halo'),
  }
}
