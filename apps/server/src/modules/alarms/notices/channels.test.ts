import { createHmac } from 'node:crypto'
import type { AlarmNotice } from '@isotherm/contract/alarms/alarms'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDelivery } from './deliver.ts'
import { startMailbox, startReceiver } from './receivers.testkit.ts'
import { createTargetCheck } from './target-address.ts'
import { isOnDuty } from './times/duty.ts'

const check = createTargetCheck({ mayBeLocal: true, services: [] })
const SENT_AT_S = 1_764_230_400
const notice: AlarmNotice = {
  v: 1,
  id: '01K',
  event: 'raised',
  at: SENT_AT_S * 1_000,
  alarm: {
    id: 7,
    kind: 'room-cold',
    severity: 'major',
    state: 'active',
    node: 'u',
    nestaddr: '集团,东区,5号楼',
    deviceName: '301室 "主卧"',
    imei: 'R-1',
    value: 15.5,
    raisedAt: SENT_AT_S * 1_000,
    occurrences: 1,
    company: 'demo',
  },
}
const post = {
  language: 'zh',
  secret: '',
  key: notice.id,
  body: JSON.stringify(notice),
  sentAtS: SENT_AT_S,
} as const
const SECRET = 'SEC0123456789'

let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver.stop())

const deliver = (needs: Partial<Parameters<typeof createDelivery>[0]> = {}) =>
  createDelivery({ check, sms: undefined, mail: undefined, timeZone: 'Asia/Shanghai', ...needs })

describe('group robots', () => {
  test('WeCom gets markdown at the URL with its key', async () => {
    receiver.answerWith(200, { errcode: 0, errmsg: 'ok' })
    const url = `${receiver.url}/cgi-bin/webhook/send?key=k-1`
    await expect(deliver()({ ...post, channel: 'wecom', url })).resolves.toBe(200)
    const call = receiver.received.at(-1)
    expect(call?.url.href).toBe('http://localhost/cgi-bin/webhook/send?key=k-1')
    expect(call?.headers['content-type']).toBe('application/json')
    expect(call?.body).toEqual({
      msgtype: 'markdown',
      markdown: {
        content: expect.stringMatching(/^\*\*【告警】 重要 .+\*\*\n> 位置：集团 \/ 东区 \/ 5号楼\n/),
      },
    })
    const content = JSON.stringify(call?.body)
    expect(content).toContain('15.5 °C')
    expect(content).toContain('2025-11-27 16:00')
  })

  test('DingTalk gets a signature of the time in ms by its secret', async () => {
    receiver.answerWith(200, { errcode: 0 })
    const url = `${receiver.url}/robot/send?access_token=t-1`
    await deliver()({ ...post, channel: 'dingtalk', url, secret: SECRET })
    const call = receiver.received.at(-1)
    const timestamp = String(SENT_AT_S * 1_000)
    expect(Object.fromEntries(call?.url.searchParams ?? [])).toEqual({
      access_token: 't-1',
      timestamp,
      sign: createHmac('sha256', SECRET).update(`${timestamp}\n${SECRET}`).digest('base64'),
    })
    expect(call?.body).toMatchObject({
      msgtype: 'markdown',
      markdown: { title: expect.stringContaining('【告警】'), text: expect.stringContaining('\n\n> ') },
    })
  })

  test('Feishu gets the time in seconds and a signature of nothing with time and secret as the key', async () => {
    receiver.answerWith(200, { code: 0, msg: 'success' })
    const url = `${receiver.url}/open-apis/bot/v2/hook/h-1`
    await deliver()({ ...post, channel: 'feishu', url, secret: SECRET })
    const timestamp = String(SENT_AT_S)
    expect(receiver.received.at(-1)?.body).toEqual({
      timestamp,
      sign: createHmac('sha256', `${timestamp}\n${SECRET}`).update('').digest('base64'),
      msg_type: 'text',
      content: { text: expect.stringContaining('R-1') },
    })
    await deliver()({ ...post, channel: 'feishu', url })
    expect(receiver.received.at(-1)?.body).not.toHaveProperty('sign')
  })

  test('a robot that refuses with 200 and a code is a failure with that code', async () => {
    receiver.answerWith(200, { errcode: 310000, errmsg: 'sign not match' })
    const send = deliver()({ ...post, channel: 'dingtalk', url: receiver.url })
    await expect(send).rejects.toMatchObject({ fault: 'code 310000' })
    receiver.answerWith(200, { code: 19021 })
    const other = deliver()({ ...post, channel: 'feishu', url: receiver.url })
    await expect(other).rejects.toMatchObject({ fault: 'code 19021' })
    receiver.answerWith(502, {})
    const broken = deliver()({ ...post, channel: 'wecom', url: receiver.url })
    await expect(broken).rejects.toMatchObject({ fault: 'status 502' })
  })

  test.each(['wecom', 'dingtalk', 'feishu'] as const)(
    '%s: a name mentions nobody and links nowhere',
    async (channel) => {
      receiver.answerWith(200, { errcode: 0 })
      const alarm = {
        ...notice.alarm,
        deviceName: '<at user_id="all">@all</at> <@wang> @all',
        imei: '[R-1](https://evil.example) ![](https://evil.example/a.png) `**x',
        nestaddr: '集团,东区\n# 停热',
      }
      const body = JSON.stringify({ ...notice, alarm })
      await deliver()({ ...post, body, channel, url: receiver.url })
      const sent = JSON.stringify(receiver.received.at(-1)?.body)
      expect(sent).toContain('＜at user_id=\\"all\\"＞＠all＜/at＞ ＜＠wang＞ ＠all')
      expect(sent).toContain('［R-1］(https://evil.example) !［］(https://evil.example/a.png) ｀＊＊x')
      expect(sent).toContain('集团 / 东区 # 停热')
      expect(sent).not.toMatch(/<|\]\(|@/)
    },
  )

  test('a long text is cut to what robots accept, at a whole character', async () => {
    receiver.answerWith(200, { errcode: 0 })
    const nestaddr = '很长的名称'.repeat(1_000)
    const body = JSON.stringify({ ...notice, alarm: { ...notice.alarm, nestaddr } })
    await deliver()({ ...post, body, channel: 'wecom', url: receiver.url })
    const text = JSON.stringify(receiver.received.at(-1)?.body)
    expect(Buffer.byteLength(text)).toBeLessThan(4_096)
    expect(text).not.toContain('\uFFFD')
  })
})

describe('SMS through the gateway of the installation', () => {
  test('each number is one call by the configured template; texts cannot change its structure', async () => {
    receiver.answerWith(200, {})
    const sms = {
      url: `${receiver.url}/sms`,
      body: '{"to":["{phone}"],"template":{"content":"{text}"}}',
      authorization: 'Bearer s-1',
    }
    const before = receiver.received.length
    await deliver({ sms })({ ...post, channel: 'sms', url: 'sms:+8613800000000,13900000000' })
    const calls = receiver.received.slice(before)
    expect(calls.map(({ body }) => body)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ to: ['+8613800000000'] }),
        expect.objectContaining({ to: ['13900000000'] }),
      ]),
    )
    expect(calls).toHaveLength(2)
    expect(calls[0]?.headers.authorization).toBe('Bearer s-1')
    expect(JSON.stringify(calls[0]?.body)).toContain('主卧')
  })

  test('a number that fails stops no other one, and a retry calls only the numbers that were not reached', async () => {
    const toPhone = (body: unknown) => (body as { readonly phone: string }).phone
    receiver.answerWith((body) => (toPhone(body) === '13900000001' ? 400 : 200), {})
    const sms = { url: receiver.url, body: '{"phone":"{phone}","text":"{text}"}' }
    const message = { ...post, channel: 'sms', url: 'sms:13900000001,13900000002,13900000003' } as const
    const before = receiver.received.length
    const failure = { fault: 'status 400', reached: ['13900000002', '13900000003'] }
    await expect(deliver({ sms })(message)).rejects.toMatchObject(failure)
    await expect(deliver({ sms })({ ...message, reached: failure.reached })).rejects.toMatchObject(failure)
    const phones = receiver.received.slice(before).map(({ body }) => toPhone(body))
    expect(phones.toSorted()).toEqual(['13900000001', '13900000001', '13900000002', '13900000003'])
  })

  test('without a gateway it says that there is none', async () => {
    const send = deliver()({ ...post, channel: 'sms', url: 'sms:13900000000' })
    await expect(send).rejects.toMatchObject({ fault: 'not configured' })
  })
})

describe('mail through the SMTP server of the installation', () => {
  test('one mail for all, with a subject in UTF-8 and an id that a repetition has too', async () => {
    const mailbox = await startMailbox()
    const mail = { url: mailbox.url, from: 'alarm@heat.example' }
    await deliver({ mail })({
      ...post,
      language: 'en',
      channel: 'mail',
      url: 'mailto:a@x.example,b@x.example',
    })
    expect(mailbox.mails).toHaveLength(1)
    expect(mailbox.mails[0]?.recipients).toEqual(['a@x.example', 'b@x.example'])
    expect(mailbox.mails[0]?.data).toContain('Message-ID: <01K@heat.example>')
    expect(mailbox.mails[0]?.data).toContain('From: alarm@heat.example')
    await mailbox.stop()
  })

  test('a refused recipient is a failure with the code of SMTP', async () => {
    const mailbox = await startMailbox('550 no such user')
    const mail = { url: mailbox.url, from: 'alarm@heat.example' }
    const send = deliver({ mail })({ ...post, channel: 'mail', url: 'mailto:a@x.example' })
    await expect(send).rejects.toMatchObject({ fault: 'code 550' })
    await mailbox.stop()
  })
})

describe('duty', () => {
  const at = (local: string) => Date.parse(`${local}:00+08:00`)
  const zone = 'Asia/Shanghai'
  test.each([
    // 2026-11-27 is a Friday.
    ['2026-11-27T19:59', false],
    ['2026-11-27T20:00', true],
    ['2026-11-28T07:59', true],
    ['2026-11-28T08:00', false],
    // The night of Saturday is not on the list.
    ['2026-11-28T21:00', false],
    ['2026-11-27T03:00', false],
  ])('a night shift of Friday at %s: %s', (local, expected) => {
    expect(isOnDuty({ hourFrom: 20, hourTo: 8, weekdays: [5] }, zone, at(local))).toBe(expected)
  })

  test('equal hours are the whole day, in the zone of the company', () => {
    const friday = { hourFrom: 0, hourTo: 0, weekdays: [5] }
    expect(isOnDuty(friday, zone, at('2026-11-27T23:59'))).toBe(true)
    expect(isOnDuty(friday, 'Europe/Berlin', at('2026-11-27T06:00'))).toBe(false)
  })
})
