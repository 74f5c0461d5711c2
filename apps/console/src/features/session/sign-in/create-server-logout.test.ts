import { expect, test } from 'vitest'
import { createServerLogout, type LogoutOutcome } from './create-server-logout.ts'

function createWorld(answers: readonly LogoutOutcome[]) {
  const world = { now: 0, asked: [] as string[], sent: 0, failed: 0, waiting: [] as (() => void)[] }
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
      world.failed += 1
    },
  })
  const end = async () => {
    serverLogout.send({
      token: 'old',
      expiresAt: 100,
      onDone: () => {
        world.sent += 1
      },
    })
    await Promise.resolve()
  }
  const again = async () => {
    for (const run of world.waiting.splice(0)) run()
    await Promise.resolve()
  }
  return { world, end, again }
}

test('§4 logout succeeds when the response info equals ok', async () => {
  const { world, end } = createWorld(['sent'])
  await end()
  expect(world).toMatchObject({ asked: ['old'], sent: 1, failed: 0, waiting: [] })
})

test('a server that is down is sent when it is back, and the user hears of it once', async () => {
  const { world, end, again } = createWorld(['unreachable', 'unreachable', 'sent'])
  await end()
  await again()
  await again()
  expect(world).toMatchObject({ asked: ['old', 'old', 'old'], sent: 1, failed: 1, waiting: [] })
})

test('a session that has run out needs no serverLogout any more', async () => {
  const { world, end, again } = createWorld(['unreachable', 'sent'])
  await end()
  world.now = 100
  await again()
  expect(world).toMatchObject({ asked: ['old'], sent: 0, waiting: [] })
})

test('a session that is over already counts as ended', async () => {
  const { world, end } = createWorld(['over'])
  await end()
  expect(world).toMatchObject({ sent: 0, failed: 0, waiting: [] })
})
