import { beforeAll, expect, test } from 'vitest'
import { type Findings, toReport } from './findings.ts'
import { type Flaw, startFlawedDevice } from './flawed-device.testkit.ts'
import { type Rule, rules } from './rules.ts'
import { runConformance } from './run-conformance.ts'

const device = {
  tenant: 'demo',
  gateway: 'C-1',
  password: 'a password of the tests only',
  token: `once-${'0'.repeat(26)}`,
}

async function check(flaw: Flaw) {
  let running: ReturnType<typeof startFlawedDevice> | undefined
  const findings = await runConformance({
    host: '127.0.0.1',
    port: 0,
    device,
    devices: ['V-1'],
    limits: {
      connectMs: 6_000,
      periodMs: 400,
      reconnectMs: 6_000,
      replyMs: 1_500,
      strokeMs: 1_500,
      historyMs: 5_000,
    },
    print: () => undefined,
    ready(port) {
      running = startFlawedDevice({ port, token: device.token, flaw })
    },
    restart: async () => running?.restart(),
  })
  running?.close()
  return findings
}

const all = Object.keys(rules).filter((name): name is Rule => Object.hasOwn(rules, name))
const results = new Map<Flaw, Findings>()

// They mostly wait, so all run at the same time.
beforeAll(async () => {
  const flaws: readonly Flaw[] = ['none', 'shared-counter', ...all]
  await Promise.all(flaws.map(async (flaw) => results.set(flaw, await check(flaw))))
})

function getFindings(flaw: Flaw): Findings {
  const findings = results.get(flaw)
  if (!findings) throw new Error(`no run of ${flaw}`)
  return findings
}

test('a right device breaks no rule, and every rule is checked', () => {
  const findings = getFindings('none')
  expect(toReport(findings)).toContain('The device is right')
  expect(findings.listUnchecked()).toEqual([])
})

test('one counter for readings and replies is reported as such', () => {
  const report = toReport(getFindings('shared-counter'))
  expect(report).toContain('WRONG  numbering: ')
  expect(report).toContain('replies used such numbers, but they have a counter of their own')
})

test.each(all)('a device that breaks the rule %s is reported by its name', (rule) => {
  const findings = getFindings(rule)
  expect([...findings.broken.keys()]).toContain(rule)
  expect(toReport(findings)).toContain(`WRONG  ${rule}: `)
})
