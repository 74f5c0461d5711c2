import { expect, test } from 'vitest'
import { createFarewell, type Told } from './create-server-logout.ts'

function createWorld(answers: readonly Told[]) {
  const world = { now: 0, asked: [] as string[], told: 0, untold: 0, waiting: [] as (() => void)[] }
  const farewell = createFarewell({
    async tell(token) {
      world.asked.push(token)
      return answers[world.asked.length - 1] ?? 'over'
    },
    now: () => world.now,
    again(run) {
      world.waiting.push(run)
      return () => {}
    },
    onUnreachable: () => {
      world.untold += 1
    },
  })
  const say = async () => {
    farewell.say({
      token: 'old',
      expiresAt: 100,
      onTold: () => {
        world.told += 1
      },
    })
    await Promise.resolve()
  }
  const again = async () => {
    for (const run of world.waiting.splice(0)) run()
    await Promise.resolve()
  }
  return { world, say, again }
}

test('§4 logout succeeds when the response info equals ok', async () => {
  const { world, say } = createWorld(['told'])
  await say()
  expect(world).toMatchObject({ asked: ['old'], told: 1, untold: 0, waiting: [] })
})

test('a server that is down is told when it is back, and the user hears of it once', async () => {
  const { world, say, again } = createWorld(['unreachable', 'unreachable', 'told'])
  await say()
  await again()
  await again()
  expect(world).toMatchObject({ asked: ['old', 'old', 'old'], told: 1, untold: 1, waiting: [] })
})

test('a session that has run out needs no farewell any more', async () => {
  const { world, say, again } = createWorld(['unreachable', 'told'])
  await say()
  world.now = 100
  await again()
  expect(world).toMatchObject({ asked: ['old'], told: 0, waiting: [] })
})

test('a session that is over already counts as ended', async () => {
  const { world, say } = createWorld(['over'])
  await say()
  expect(world).toMatchObject({ told: 0, untold: 0, waiting: [] })
})
