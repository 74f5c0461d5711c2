import { expect, test } from 'vitest'
import { createReplicaNews } from './replica-news.ts'

const secret = 'a secret of the tests only'
const body = (text: string) => Buffer.from(text)

test('what one replica writes another of the same secret reads', () => {
  const [one, other] = [createReplicaNews(secret), createReplicaNews(secret)]
  expect(other.read(one.write(body('readings')))).toEqual({ body: body('readings'), missed: false })
  expect(other.read(one.write(body('')))).toEqual({ body: body(''), missed: false })
})

test('a packet that was lost between two is noticed, of each sender by itself', () => {
  const [one, two, reader] = [1, 2, 3].map(() => createReplicaNews(secret))
  reader?.read(one?.write(body('1')) ?? body(''))
  one?.write(body('2'))
  expect(reader?.read(two?.write(body('1')) ?? body(''))?.missed).toBe(false)
  expect(reader?.read(one?.write(body('3')) ?? body(''))?.missed).toBe(true)
  expect(reader?.read(one?.write(body('4')) ?? body(''))?.missed).toBe(false)
})

test('what somebody else wrote, or changed on the way, is nothing', () => {
  const reader = createReplicaNews(secret)
  const packet = createReplicaNews(secret).write(body('readings'))
  expect(reader.read(createReplicaNews('another secret altogether').write(body('readings')))).toBeUndefined()
  expect(reader.read(packet.subarray(0, 20))).toBeUndefined()
  for (let at = 0; at < packet.length; at += 1) {
    const changed = Buffer.from(packet)
    changed.writeUInt8(packet.readUInt8(at) ^ 1, at)
    expect(reader.read(changed)).toBeUndefined()
  }
})
