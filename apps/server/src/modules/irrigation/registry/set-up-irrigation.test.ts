import { permissions } from '@isotherm/contract/access/permissions'
import type { RegistryFile } from '@isotherm/contract/network/registry-file'
import type { RegistryIrrigation } from '@isotherm/contract/network/registry-irrigation'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../../../platform/log.ts'
import { scopeOfEverything } from '../../../platform/scope/scope.ts'
import { seed } from '../../session/index.ts'
import { type IrrigationBench, startIrrigationBench } from '../irrigation.testkit.ts'
import { listWatering } from '../storage/watering.pg.ts'
import { setUpIrrigation } from './set-up-irrigation.ts'

const file: Pick<RegistryFile, 'company' | 'irrigation'> = {
  company: { tenant: 'test', name: '测试', timeZone: 'Asia/Shanghai' },
  irrigation: [
    {
      node: 'n4',
      settings: { name: '泵房', capacityM3H: 14, leadS: 0, groupDelayS: 0, afterOutage: 'skip' },
      station: 'P1',
      groups: ['C1V1', 'C1V2'].map((serial, index) => ({
        key: `g${index}`,
        name: `第${index + 1}组`,
        mode: 'parallel' as const,
        valves: [{ serial, flowM3H: 6, maxS: 1_800 }],
      })),
      programs: [
        {
          name: '弥雾',
          enabled: true,
          plan: {
            days: { kind: 'odd' },
            starts: [{ kind: 'time', minute: 490 }],
            entries: ['g1', 'g0'].map((group) => ({ group, runS: 300 })),
            seasonalPct: 100,
            together: false,
          },
        },
      ],
    } satisfies RegistryIrrigation,
  ],
}

let bench: IrrigationBench
beforeAll(async () => {
  bench = await startIrrigationBench()
})
afterAll(() => bench.close())

const setUp = () =>
  setUpIrrigation(
    {
      db: bench.db,
      clock: bench.clock,
      log: createLog({ logLevel: 'silent' }),
      findAccess: async () => ({
        companyId: undefined,
        permissions: new Set(permissions),
        scope: scopeOfEverything,
      }),
      settings: bench.settings,
    },
    file,
  )
const listAll = () => bench.irrigation.list(bench.call().caller, {})

test('nothing is set up without the demo account that may irrigate', async () => {
  await setUp()
  expect(await listAll()).toEqual([])
})

test('the irrigation of a registry file is set up once, in the name of the keeper', async () => {
  await seed(bench.db)
  const { id: roleId } = await bench.db
    .selectFrom('role')
    .select('id')
    .where('key', '=', 'irrigation')
    .executeTakeFirstOrThrow()
  const keeper = await bench.db
    .updateTable('account')
    .set({ is_demo: true })
    .where('account', '=', 'keeper')
    .returning('id')
    .executeTakeFirstOrThrow()
  await bench.db.insertInto('account_role').values({ account_id: keeper.id, role_id: roleId }).execute()
  await setUp()
  const [source, ...others] = await listAll()
  expect(others).toEqual([])
  expect(source).toMatchObject({ name: '泵房', stationId: bench.stationId, timeZone: 'Asia/Shanghai' })
  expect(
    source?.groups.map(({ name, valves }) => [name, valves.map(({ deviceName }) => deviceName)]),
  ).toEqual([
    ['第1组', ['C1V1']],
    ['第2组', ['C1V2']],
  ])
  const [program] = source?.programs ?? []
  expect(program).toMatchObject({ name: '弥雾', actor: 'keeper', enabled: true })
  expect(
    program?.plan.entries.map(({ groupId }) => source?.groups.find(({ id }) => id === groupId)?.name),
  ).toEqual(['第2组', '第1组'])

  const watering = ['C1V1', 'C1V2'].map(bench.idOf)
  expect([...(await listWatering(bench.db))].toSorted((a, b) => a - b)).toEqual(
    [...watering, bench.stationId].toSorted((a, b) => a - b),
  )
  await bench.settings.remove(bench.call(), 'irrigation_source', {
    id: source?.id ?? 0,
    version: source?.version ?? 0,
  })
  await setUp()
  expect(await listAll()).toEqual([])
})
