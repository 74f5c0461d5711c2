import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createExpired, type ExpiredView, type Renewal } from './create-expired.ts'
import { expiredEvents, expiredStates, expiredTable } from './expired-states.ts'

const spec = readFileSync(new URL('../../../../../../docs/specs/session.md', import.meta.url), 'utf8')

test('the table in the specification equals the code, cell by cell', () => {
  const rows = spec
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
  const head = rows.findIndex((cells) => cells[1] === 'expired')
  expect(rows[head]?.slice(1)).toEqual([...expiredEvents])
  for (const [row, state] of expiredStates.entries()) {
    const cells = rows[head + 2 + row] ?? []
    expect(cells[0]).toBe(state)
    for (const [column, event] of expiredEvents.entries()) {
      const { to, waiting } = expiredTable[state][event]
      const cell = [...(to === state ? [] : [to]), ...(waiting === 'wait' ? [] : [waiting])].join(', ') || '·'
      expect(cells[column + 1], `${state} × ${event}`).toBe(cell)
    }
  }
})

test('every invariant in the specification has its test in the named file', () => {
  const places = {
    'tokens.test.ts': '../../../shared/session/tokens.test.ts',
    'create-refresh.test.ts': './create-refresh.test.ts',
    'create-sign-in.test.ts': '../sign-in/create-sign-in.test.ts',
    'expired-states.test.ts': './expired-states.test.ts',
    'session-tabs.spec.ts': '../../../../../../tests/e2e/shell/session-tabs.spec.ts',
  } as const
  const isPlace = (file: string): file is keyof typeof places => Object.hasOwn(places, file)
  const named = [...spec.matchAll(/^- (S\d) .*\((.+)\)$/gm)]
  expect(named).toHaveLength(7)
  for (const [, name = '', files = ''] of named) {
    for (const file of files.replaceAll('`', '').split(', ')) {
      if (!isPlace(file)) throw new Error(`docs/specs/session.md names ${file}, which is not known here`)
      expect(readFileSync(new URL(places[file], import.meta.url), 'utf8'), `${name} in ${file}`).toMatch(
        new RegExp(`['"]${name}: `),
      )
    }
  }
})

/** A tab with a fake user and server, which the test controls. */
function createWorld(renewals: readonly Renewal[] = []) {
  const views: ExpiredView[] = []
  const lost: (string | undefined)[] = []
  let attempts = 0
  const expired = createExpired({
    async renew() {
      attempts += 1
      return renewals[attempts - 1] ?? { kind: 'renewed' }
    },
    show: (view) => views.push(view),
    lose: (text) => lost.push(text),
  })
  return { expired, lost, attempts: () => attempts, view: () => views.at(-1), views }
}

test('§4 status 11: a confirm dialog asks to log in again, once for all calls that fail together', async () => {
  const { expired, view, attempts } = createWorld()
  const calls = [expired.recover(), expired.recover(), expired.recover()]
  expect(view()?.state).toBe('prompting')
  await expired.confirm()
  expect(await Promise.all(calls)).toEqual([true, true, true])
  expect(attempts()).toBe(1)
  expect(view()?.state).toBe('valid')
})

test('§8 Cancel: the calls fail, the page stays, and later calls open no dialog until the user does', async () => {
  const { expired, view } = createWorld()
  const first = expired.recover()
  expired.cancel()
  expect(await first).toBe(false)
  expect(await expired.recover()).toBe(false)
  expect(view()?.state).toBe('declined')
  expired.reopen()
  expect(view()?.state).toBe('prompting')
  await expired.confirm()
  expect(view()?.state).toBe('valid')
})

test('S4: a login in another tab closes the dialog here, and the calls continue', async () => {
  const { expired, view, attempts } = createWorld()
  const call = expired.recover()
  expired.markRenewed()
  expect(await call).toBe(true)
  expect(view()?.state).toBe('valid')
  expect(attempts()).toBe(0)
})

test('an unreachable server leaves the dialog open with the reason, for a retry', async () => {
  const { expired, view, lost } = createWorld([{ kind: 'unreachable', text: 'no network' }])
  const call = expired.recover()
  await expired.confirm()
  expect(view()).toEqual({ state: 'prompting', text: 'no network' })
  await expired.confirm()
  expect(await call).toBe(true)
  expect(lost).toEqual([])
})

test('§8 Re-Login refused: the session is lost, with the reason of the server', async () => {
  const { expired, lost } = createWorld([{ kind: 'refused', text: 'viewer failure reason: disabled' }])
  const call = expired.recover()
  await expired.confirm()
  expect(await call).toBe(false)
  expect(lost).toEqual(['viewer failure reason: disabled'])
})

test('S5: no call waits forever: a call waits only while a dialog is open or a login is running', async () => {
  const action = fc.constantFrom('recover', 'confirm', 'cancel', 'reopen', 'markRenewed', 'markEnded')
  const renewal = fc.constantFrom<Renewal>(
    { kind: 'renewed' },
    { kind: 'unreachable', text: 'x' },
    { kind: 'refused', text: undefined },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 20 }), fc.array(renewal), async (actions, renewals) => {
      const { expired, view } = createWorld(renewals)
      let waiting = 0
      for (const each of actions) {
        if (each !== 'recover') {
          await expired[each as Exclude<typeof each, 'recover'>]()
          await Promise.resolve()
        } else {
          waiting += 1
          void expired.recover().then(() => {
            waiting -= 1
          })
          await Promise.resolve()
        }
        await Promise.resolve()
        if (view()?.state === 'valid' || view()?.state === 'declined') expect(waiting).toBe(0)
      }
    }),
  )
})
