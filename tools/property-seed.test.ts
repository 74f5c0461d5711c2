import fc from 'fast-check'
import { expect, it } from 'vitest'

function draw(): readonly number[] {
  const drawn: number[] = []
  fc.assert(fc.property(fc.integer(), (number) => void drawn.push(number)))
  return drawn
}

it.skipIf(process.env.ISOTHERM_PROPERTY_SEED === 'random')(
  'a property test draws the same in each run',
  () => {
    expect(draw()).toEqual(draw())
  },
)
