import { alarmKindNames, alarmKinds, alarmSettings } from '@isotherm/contract/alarms/alarm-kinds'
import { expect, test } from 'vitest'
import { checkDraft, listDeviceChoices, toDraft, toSettings } from './rule-draft.ts'

const cold = toDraft('room-cold', alarmKinds['room-cold'].standard, [])
const hot = toDraft('supply-hot', alarmKinds['supply-hot'].standard, [])

test.each(alarmKindNames)('the standard of %s is a rule without faults, and stays what it is', (kind) => {
  const { standard } = alarmKinds[kind]
  const draft = toDraft(kind, standard, [])
  expect(checkDraft(draft)).toEqual({})
  expect(toSettings(draft)).toEqual(standard)
})

test('the clear threshold must be on the good side of the raise threshold, or equal', () => {
  expect(checkDraft({ ...cold, raiseAt: 18, clearAt: 17.9 })).toEqual({ clearAt: 'mustNotBeBelow' })
  expect(checkDraft({ ...hot, raiseAt: 90, clearAt: 90.1 })).toEqual({ clearAt: 'mustNotBeAbove' })
  expect(checkDraft({ ...hot, raiseAt: 90, clearAt: 90 })).toEqual({})
})

test('a missing number is an error for kinds with a value', () => {
  expect(checkDraft({ ...cold, raiseAt: null, clearAt: null })).toEqual({
    raiseAt: 'number',
    clearAt: 'number',
  })
  const silent = toDraft('device-silent', alarmKinds['device-silent'].standard, [])
  expect(toSettings({ ...silent, raiseAt: 3, clearAt: 2 })).toMatchObject({ raiseAt: null, clearAt: null })
})

test('delays are at most a day, in whole seconds', () => {
  expect(checkDraft({ ...cold, raiseAfterMin: 1_441, clearAfterMin: null })).toEqual({
    raiseAfter: 'delay',
    clearAfter: 'delay',
  })
  expect(toSettings({ ...cold, raiseAfterMin: 0.33 })?.raiseAfterS).toBe(20)
})

test('a season needs two valid days, and the hours must not be empty', () => {
  expect(checkDraft({ ...cold, season: { from: '11-15', to: '13-01' } })).toEqual({ season: 'day' })
  expect(checkDraft({ ...cold, season: null })).toEqual({})
  expect(checkDraft({ ...cold, hours: { from: 22, to: null } })).toEqual({ hours: 'hourNeeded' })
  expect(checkDraft({ ...cold, hours: { from: 6, to: 6 } })).toEqual({ hours: 'noHour' })
  expect(checkDraft({ ...cold, hours: { from: 22, to: 6 } })).toEqual({})
})

test('a draft with errors gives no settings, and any other draft is valid for the contract', () => {
  expect(toSettings({ ...cold, raiseAt: null })).toBeUndefined()
  const night = toSettings({ ...cold, hours: { from: 22, to: 6 }, enabled: false })
  expect(alarmSettings.parse(night)).toMatchObject({ hours: { from: 22, to: 6 }, enabled: false })
})

test('a rule may be restricted to device kinds only if several kinds can have the alarm', () => {
  expect(listDeviceChoices('return-hot')).toEqual(['station', 'valve', 'heat-meter'])
  expect(listDeviceChoices('room-cold')).toEqual([])
  expect(listDeviceChoices('subtree-silent')).toEqual([])
})
