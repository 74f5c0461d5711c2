import { createHmac } from 'node:crypto'
import type { NoticeChannel } from '@isotherm/contract/alarms/notice-channels'
import { z } from 'zod'
import { DeliveryError } from './delivery-fault.ts'
import type { SendPost } from './http-post.ts'
import type { NoticeText } from './notice-text.ts'
import type { Post } from './webhook.ts'

export type RobotChannel = Extract<NoticeChannel, 'wecom' | 'dingtalk' | 'feishu'>

interface RobotCall {
  readonly url: string
  readonly body: object
}

const MARKDOWN_BYTES = 4_000
const sign = (key: string, text: string): string => createHmac('sha256', key).update(text).digest('base64')

/** The longest start of a text that fits into a number of bytes: robots refuse longer messages. */
function fit(text: string, bytes: number): string {
  const all = Buffer.from(text)
  return all.length <= bytes
    ? text
    : all
        .subarray(0, bytes)
        .toString()
        .replace(/\uFFFD+$/, '')
}

/**
 * A text without marks of a robot. Names of devices and places come from people and files: `<at …>` (Feishu) and `<@…>` (WeCom) mention,
 * `[…](…)` links, a line break starts a block. No operator publishes an escape for these messages, and a backslash is shown as such, so
 * each mark becomes its full-width form.
 */
const withoutMarks = (text: string): string =>
  text
    .replace(/[<>[\]*`@]/g, (mark) => String.fromCharCode(mark.charCodeAt(0) + 0xfee0))
    .replace(/[\r\n\u2028\u2029]+/g, ' ')

const toMarkdown = ({ title, lines }: NoticeText, newline: string): string =>
  fit([`**${title}**`, ...lines.map((line) => `> ${line}`)].join(newline), MARKDOWN_BYTES)

/**
 * The calls of group robots, by what their operators publish. WeCom has no signature: the key in the URL is the secret.
 * DingTalk signs `{ms}\n{secret}` with the secret, in the query. Feishu signs an empty text with `{s}\n{secret}` as the key,
 * in the body.
 */
const toCall: Readonly<Record<RobotChannel, (post: Post, text: NoticeText) => RobotCall>> = {
  wecom: ({ url }, text) => ({
    url,
    body: { msgtype: 'markdown', markdown: { content: toMarkdown(text, '\n') } },
  }),
  dingtalk: ({ url, secret, sentAtS }, text) => {
    const signed = new URL(url)
    if (secret !== '') {
      const timestamp = String(sentAtS * 1_000)
      signed.searchParams.set('timestamp', timestamp)
      signed.searchParams.set('sign', sign(secret, `${timestamp}\n${secret}`))
    }
    const markdown = { title: text.title, text: toMarkdown(text, '\n\n') }
    return { url: signed.href, body: { msgtype: 'markdown', markdown } }
  },
  feishu: ({ url, secret, sentAtS }, { title, lines }) => {
    const timestamp = String(sentAtS)
    const signature = secret === '' ? {} : { timestamp, sign: sign(`${timestamp}\n${secret}`, '') }
    const text = fit([title, ...lines].join('\n'), MARKDOWN_BYTES)
    return { url, body: { ...signature, msg_type: 'text', content: { text } } }
  },
}

/** A robot answers 200 also when it refuses: errcode (WeCom, DingTalk) or code (Feishu) is then not 0. */
const robotAnswer = z.object({ errcode: z.number().int().optional(), code: z.number().int().optional() })

function findCode(text: string): number | undefined {
  try {
    const { errcode, code } = robotAnswer.parse(JSON.parse(text))
    return errcode ?? code
  } catch {
    return undefined
  }
}

/** Sends a text to a group robot. Rejects with a DeliveryError. */
export const createRobots =
  (send: SendPost) =>
  async (channel: RobotChannel, post: Post, text: NoticeText): Promise<number> => {
    const plain = { title: withoutMarks(text.title), lines: text.lines.map(withoutMarks) }
    const { url, body } = toCall[channel](post, plain)
    const answer = await send({ url, body: JSON.stringify(body), readsAnswer: true })
    const code = findCode(answer.text)
    if (code === undefined) throw new DeliveryError('no answer')
    if (code !== 0) throw new DeliveryError(`code ${code}`)
    return answer.status
  }
