import fc from 'fast-check'
import { expect, it } from 'vitest'

function generate(): readonly number[] {
  const generated: number[] = []
  fc.assert(fc.property(fc.integer(), (number) => void generated.push(number)))
  return generated
}

it.skipIf(process.env.ISOTHERM_PROPERTY_SEED === 'random')(
  'a property test generates the same values in each run',
  () => {
    expect(generate()).toEqual(generate())
  },
)
