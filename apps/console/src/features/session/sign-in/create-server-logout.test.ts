import { expect, test } from 'vitest'
import { createServerLogout, type LogoutOutcome } from './create-server-logout.ts'

function createWorld(answers: readonly LogoutOutcome[]) {
  const world = { now: 0, asked: [] as string[], told: 0, untold: 0, waiting: [] as (() => void)[] }
  const serverLogout = createServerLogout({
    async send(token) {
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
    serverLogout.say({
      token: 'old',
      expiresAt: 100,
      onDone: () => {
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
  const { world, say } = createWorld(['sent'])
  await say()
  expect(world).toMatchObject({ asked: ['old'], told: 1, untold: 0, waiting: [] })
})

test('a server that is down is told when it is back, and the user hears of it once', async () => {
  const { world, say, again } = createWorld(['unreachable', 'unreachable', 'sent'])
  await say()
  await again()
  await again()
  expect(world).toMatchObject({ asked: ['old', 'old', 'old'], told: 1, untold: 1, waiting: [] })
})

test('a session that has run out needs no serverLogout any more', async () => {
  const { world, say, again } = createWorld(['unreachable', 'sent'])
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
