import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { createSmall } from '../scenarios/small-scenario.testkit.ts'
import { startTwin } from './twin.ts'

const folder = mkdtempSync(join(tmpdir(), 'isotherm-twin-'))
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true })
})

it('reports a failed save and continues', async () => {
  const problems: string[] = []
  vi.spyOn(console, 'error').mockImplementation((text: string) => {
    problems.push(text)
  })
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const dataFolder = join(folder, 'data')
  const twin = startTwin(
    createSmall(),
    {
      // No broker runs at this address; this test needs none.
      mqttUrl: 'mqtt://127.0.0.1:9',
      mqttSecret: 'a secret',
      timeFactor: 60,
      dataFolder,
      scenario: 'small',
      language: 'zh',
      truthPort: undefined,
      seasonDays: 0,
    },
    Date.now,
  )
  // A file in place of the folder, which fails like a full or missing disk.
  rmSync(dataFolder, { recursive: true })
  writeFileSync(dataFolder, '')
  vi.advanceTimersByTime(60_000)
  expect(problems.filter((text) => /twin\.json was not written/.test(text))).toHaveLength(1)
  rmSync(dataFolder)
  vi.advanceTimersByTime(60_000)
  expect(problems.filter((text) => /twin\.json was not written/.test(text))).toHaveLength(1)
  await twin.stop()
})
