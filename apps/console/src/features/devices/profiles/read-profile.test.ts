import { shippedProfiles } from '@isotherm/profiles/shipped-profiles'
import { expect, test } from 'vitest'
import { readProfile } from './read-profile.ts'

const [meter] = shippedProfiles

test('a saved profile is opened again as it was', () => {
  expect(readProfile(JSON.stringify(meter))).toEqual({ kind: 'profile', profile: meter })
})

test('a text that is none is refused, a wrong profile with the places of its faults', () => {
  expect(readProfile('{')).toEqual({ kind: 'not-json' })
  expect(readProfile('[]')).toEqual({ kind: 'bad-profile', places: ['JSON'] })
  expect(readProfile(JSON.stringify({ ...meter, pollPeriodS: 0, kind: 'teapot' }))).toEqual({
    kind: 'bad-profile',
    places: ['kind', 'pollPeriodS'],
  })
})
