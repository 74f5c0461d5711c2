import type { irrigationEndpoints } from '@isotherm/contract/endpoints/control/irrigation'
import { irrigationSource } from '@isotherm/contract/irrigation'
import type { CasesOf, World } from '../../testing/endpoint-cases.testkit.ts'

const settings = (name: string) => ({
  name,
  capacityM3H: 20,
  leadS: 0,
  groupDelayS: 0,
  afterOutage: 'resume' as const,
})

async function addSource(world: World) {
  const node = await world.server.nodeKey('s1')
  const source = await world.callOk('setIrrigationSource', { node, settings: settings(world.unique('泵站')) })
  return irrigationSource.parse(source)
}

async function addGroup(world: World) {
  const { id: sourceId } = await addSource(world)
  const valves = [{ deviceId: await world.server.deviceId('V-b2u1'), flowM3H: 5, maxS: 3_600 }]
  const group = { name: world.unique('组'), mode: 'parallel', valves }
  const source = irrigationSource.parse(
    await world.callOk('setIrrigationGroup', { sourceId, settings: group }),
  )
  return {
    sourceId,
    groupId: source.groups[0]?.id ?? 0,
    settings: group,
    version: source.groups[0]?.version ?? 0,
  }
}

const toPlan = (groupId: number) => ({
  days: { kind: 'odd' },
  starts: [{ kind: 'time', minute: 300 }],
  entries: [{ groupId, runS: 600 }],
  seasonalPct: 100,
  together: false,
})

async function addProgram(world: World) {
  const { sourceId, groupId } = await addGroup(world)
  const program = { name: world.unique('计划'), enabled: false, plan: toPlan(groupId) }
  const given = await world.callOk('setIrrigationProgram', { sourceId, settings: program })
  const [stored] = irrigationSource.parse(given).programs
  return { sourceId, groupId, id: stored?.id ?? 0, version: stored?.version ?? 0, settings: program }
}

async function startRun(world: World): Promise<number> {
  const { groupId } = await addGroup(world)
  const source = irrigationSource.parse(await world.callOk('startIrrigationRun', { groupId, runS: 600 }))
  return source.runs[0]?.id ?? 0
}

export const irrigationCases: CasesOf<keyof typeof irrigationEndpoints> = {
  getIrrigation: async (world) => {
    await addProgram(world)
    return { nodes: [await world.server.nodeKey('s1')] }
  },
  getIrrigationUses: async (world) => {
    await addGroup(world)
    return { deviceId: await world.server.deviceId('V-b2u1') }
  },
  getIrrigationRuns: async (world) => {
    await startRun(world)
    return { nodes: [await world.server.nodeKey('s1')], limiter: { page: 1, size: 10 } }
  },
  getIrrigationWater: async (world) => {
    const run_id = await startRun(world)
    const from = Date.UTC(2026, 5, 1)
    const { db } = world.server
    await db.updateTable('irrigation_run').set({ began_ms: from }).where('id', '=', run_id).execute()
    await db
      .updateTable('irrigation_step')
      .set({ opened_ms: from, volume_m3: 2 })
      .where('run_id', '=', run_id)
      .execute()
    return { nodes: [await world.server.nodeKey('s1')], from, to: from + 7 * 86_400_000 }
  },
  previewIrrigation: async (world) => {
    const { sourceId, groupId, id } = await addProgram(world)
    const from = Date.UTC(2026, 5, 1)
    return { sourceId, draft: { programId: id, plan: toPlan(groupId) }, from, to: from + 7 * 86_400_000 }
  },
  setIrrigationSource: async (world) => {
    const { id, version, node } = await addSource(world)
    return { id, version, node, settings: settings(world.unique('泵站')) }
  },
  setIrrigationGroup: async (world) => {
    const { groupId, ...given } = await addGroup(world)
    return { ...given, id: groupId, settings: { ...given.settings, name: world.unique('组') } }
  },
  setIrrigationProgram: async (world) => {
    const { groupId: _, ...given } = await addProgram(world)
    return { ...given, settings: { ...given.settings, name: world.unique('计划') } }
  },
  deleteIrrigationSource: async (world) => {
    const { id, version } = await addSource(world)
    return { id, version }
  },
  deleteIrrigationGroup: async (world) => {
    const { groupId, version } = await addGroup(world)
    return { id: groupId, version }
  },
  deleteIrrigationProgram: async (world) => {
    const { id, version } = await addProgram(world)
    return { id, version }
  },
  startIrrigationRun: async (world) => ({ groupId: (await addGroup(world)).groupId, runS: 600 }),
  runIrrigationProgram: async (world) => ({ programId: (await addProgram(world)).id }),
  changeIrrigationRun: async (world) => ({ runId: await startRun(world), event: 'stop' }),
  stopIrrigation: async (world) => ({ sourceId: (await addGroup(world)).sourceId }),
  pauseIrrigation: async (world) => ({
    sourceId: (await addSource(world)).id,
    until: Date.now() + 86_400_000,
    reason: '雨',
  }),
  releaseIrrigation: async (world) => {
    const { id: sourceId } = await addSource(world)
    await world.server.db
      .updateTable('irrigation_source')
      .set({ leak_ms: 1, leak_m3_h: 2 })
      .where('id', '=', sourceId)
      .execute()
    return { sourceId, what: 'leak' }
  },
}
