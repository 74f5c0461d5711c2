import { endLoggedOut } from '@isotherm/contract/endpoints/administration/session'
import { afterEach, expect, test } from 'vitest'
import { forgetEnded, listEnded, storeEnded } from '../../shared/session/ended-tokens.ts'
import { startFakeApi } from '../../shared/testing/fake-api.testkit.ts'
import { endStored } from './end-stored.ts'

const hashes = ['a', 'b'].map((digit) => digit.repeat(64))

afterEach(() => localStorage.clear())

test('sessions that ended while the server was away are ended when the console is opened again', async () => {
  const api = startFakeApi()
  api.answer(endLoggedOut, {})
  for (const hash of hashes) storeEnded(localStorage, hash, Date.now() + 1_000_000, Date.now())
  storeEnded(localStorage, 'c'.repeat(64), Date.now() - 1, Date.now())
  await endStored()
  expect(api.calls(endLoggedOut)).toEqual([{ tokenHashes: hashes }])
  expect(listEnded(localStorage, Date.now())).toEqual([])
  await endStored()
  expect(api.calls(endLoggedOut), 'nothing is left to end').toHaveLength(1)
})

test('what could not be sent stays for the next time', async () => {
  const api = startFakeApi()
  api.refuse(endLoggedOut, { code: 'server.unavailable', text: 'down' })
  storeEnded(localStorage, hashes[0] ?? '', Date.now() + 1_000_000, Date.now())
  await endStored()
  expect(listEnded(localStorage, Date.now())).toEqual([hashes[0]])
  forgetEnded(localStorage, hashes, Date.now())
})

test('a broken entry is ignored', () => {
  localStorage.setItem('isotherm.ended', '{')
  expect(listEnded(localStorage, Date.now())).toEqual([])
})
