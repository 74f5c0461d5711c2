import {
  valveExercise,
  type valveExercisesEndpoints,
} from '@isotherm/contract/endpoints/control/valve-exercises'
import type { CasesOf, World } from '../../testing/endpoint-cases.testkit.ts'

const limiter = { page: 1, size: 20 }

const toExercise = async ({ server, unique }: World) => ({
  nodes: [await server.nodeKey('b2u1')],
  reason: unique('活动'),
})

/** A valve takes part in one exercise at a time, so the one before is cancelled and ended. */
async function addExercise(world: World): Promise<{ readonly id: number }> {
  await world.server.db
    .updateTable('valve_exercise')
    .set({ state: 'finished', ended_ms: 0 })
    .where('ended_ms', 'is', null)
    .execute()
  const { id } = valveExercise.parse(await world.callOk('addValveExercise', await toExercise(world)))
  return { id }
}

export const exercisesCases: CasesOf<keyof typeof valveExercisesEndpoints> = {
  previewValveExercise: async ({ server }) => ({ nodes: [await server.nodeKey('s1')] }),
  async addValveExercise(world) {
    const { id } = await addExercise(world)
    await world.server.db
      .updateTable('valve_exercise')
      .set({ state: 'finished', ended_ms: 0 })
      .where('id', '=', id)
      .execute()
    return toExercise(world)
  },
  async getValveExercises(world) {
    await addExercise(world)
    return { nodes: [await world.server.nodeKey('s1')], limiter }
  },
  getExerciseValves: async (world) => ({ ...(await addExercise(world)), limiter }),
  cancelValveExercise: addExercise,
}
