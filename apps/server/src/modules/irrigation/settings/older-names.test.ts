import type { Endpoint } from '@isotherm/contract/endpoint'
import {
  getIrrigation,
  setIrrigationGroup,
  setIrrigationProgram,
  setIrrigationSource,
} from '@isotherm/contract/endpoints/control/irrigation'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../testing/server.testkit.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

test('names with line breaks that an older version stored are read and corrected', async () => {
  await server.createAccount('keeper', ['pe-irrigation', 'pe-fmcontrol'], ['s1'])
  const { 'ht-api': token } = await server.logIn('keeper')
  const call = (endpoint: Endpoint, input: unknown) => server.call(endpoint, input, token)
  const readNames = async () => {
    const [source] = getIrrigation.output.parse((await call(getIrrigation, {})).data).datalist
    const [group, program] = [source?.groups[0], source?.programs[0]]
    return { source, group, program, names: [source?.name, group?.name, program?.name] }
  }
  const node = await server.nodeKey('s1')
  const settings = { name: '泵站', capacityM3H: 20, leadS: 0, groupDelayS: 0, afterOutage: 'resume' as const }
  const valves = [{ deviceId: await server.deviceId('V-b2u1'), flowM3H: 5, maxS: 3_600 }]
  const group = { name: '南组', mode: 'parallel' as const, valves }
  const { id: sourceId } = setIrrigationSource.output.parse(
    (await call(setIrrigationSource, { node, settings })).data,
  )
  await call(setIrrigationGroup, { sourceId, settings: group })
  const { group: added } = await readNames()
  const plan = {
    days: { kind: 'odd' as const },
    starts: [{ kind: 'time' as const, minute: 300 }],
    entries: [{ groupId: added?.id ?? 0, runS: 600 }],
    seasonalPct: 100,
    together: false,
  }
  const program = { name: '晨灌', enabled: false, plan }
  await call(setIrrigationProgram, { sourceId, settings: program })

  const old = JSON.stringify({ name: '旧\n名' })
  for (const table of ['irrigation_source', 'irrigation_group', 'irrigation_program'])
    await sql`update ${sql.table(table)} set settings = settings || ${old}::jsonb`.execute(server.db)
  expect((await readNames()).names).toEqual(['旧\n名', '旧\n名', '旧\n名'])

  const correct = async (name: string) => {
    const now = await readNames()
    const versionOf = (part: 'source' | 'group' | 'program') => ({
      id: now[part]?.id,
      version: now[part]?.version,
    })
    const answers = [
      await call(setIrrigationSource, { ...versionOf('source'), node, settings: { ...settings, name } }),
      await call(setIrrigationGroup, { ...versionOf('group'), sourceId, settings: { ...group, name } }),
      await call(setIrrigationProgram, { ...versionOf('program'), sourceId, settings: { ...program, name } }),
    ]
    return answers.map(({ code }) => code)
  }
  expect(await correct('新\n名')).toEqual(Array(3).fill('request.malformed'))
  // White space around a name, as the clipboard has it, is no part of it.
  expect(await correct('新名\n')).toEqual([undefined, undefined, undefined])
  expect((await readNames()).names).toEqual(['新名', '新名', '新名'])
})
