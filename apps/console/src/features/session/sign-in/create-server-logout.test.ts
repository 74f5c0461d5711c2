import { expect, test } from 'vitest'
import { createServerLogout, type LogoutOutcome } from './create-server-logout.ts'

function createWorld(answers: readonly LogoutOutcome[]) {
  const world = {
    now: 0,
    requested: [] as string[],
    sent: 0,
    failed: 0,
    over: 0,
    waiting: [] as (() => void)[],
  }
  const serverLogout = createServerLogout({
    async send(token) {
      world.requested.push(token)
      return answers[world.requested.length - 1] ?? 'over'
    },
    now: () => world.now,
    again(run) {
      world.waiting.push(run)
      return () => {}
    },
    onUnreachable: () => {
      world.failed += 1
    },
    onOver() {
      world.over += 1
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
  expect(world).toMatchObject({ requested: ['old'], sent: 1, over: 1, failed: 0, waiting: [] })
})

test('a logout is sent when the server is back, and the user is notified once that it was down', async () => {
  const { world, end, again } = createWorld(['unreachable', 'unreachable', 'sent'])
  await end()
  await again()
  await again()
  expect(world).toMatchObject({ requested: ['old', 'old', 'old'], sent: 1, over: 1, failed: 1, waiting: [] })
})

test('an expired session needs no logout on the server', async () => {
  const { world, end, again } = createWorld(['unreachable', 'sent'])
  await end()
  world.now = 100
  await again()
  expect(world).toMatchObject({ requested: ['old'], sent: 0, waiting: [] })
})

test('a session that has already ended on the server counts as ended', async () => {
  const { world, end } = createWorld(['over'])
  await end()
  expect(world).toMatchObject({ sent: 0, over: 1, failed: 0, waiting: [] })
})
