import { commandMessage, type ReplyMessage, replyCodes, replyMessage } from '@isotherm/contract/mqtt'
import type { Clock } from '../../platform/clock.ts'
import type { DeviceDirectory, DirectoryEntry } from '../devices/index.ts'
import type { CommandEvent } from './state-machine.ts'
import type { CommandStore, EventFacts } from './store.ts'
import { toConfirmDeadline, toStrokeDeadline } from './timing.ts'

/** Why a reply is none of ours. */
export type ReplyReject = 'malformed-json' | 'wrong-schema' | 'unknown-command'

/** The MQTT client a reply came from. */
export interface ReplyingNode {
  readonly tenant: string
  readonly node: string
}

export interface RepliesNeeds {
  readonly store: CommandStore
  readonly directory: DeviceDirectory
  readonly clock: Clock
  /** A device says it is done; its reading is now awaited. */
  readonly onDone: (command: { id: string; deviceId: number; doneAt: number }) => Promise<void>
}

const eventOf = ({ stage, code }: ReplyMessage): CommandEvent => {
  if (code === replyCodes.superseded) return 'outdated'
  if (code === replyCodes.expired) return 'too-late'
  if (code !== replyCodes.ok) return 'refused'
  return stage === 'done' ? 'done' : 'accepted'
}

function factsOf(reply: ReplyMessage, event: CommandEvent, now: number, device: DirectoryEntry): EventFacts {
  const detail = [reply.stage, reply.code, reply.msg ?? ''].join(' ').trim()
  const facts = { at: now, detail, resultCode: reply.code }
  if (event === 'accepted') return { ...facts, deadlineAt: toStrokeDeadline(now) }
  if (event === 'done')
    return { ...facts, doneAt: reply.ts, deadlineAt: toConfirmDeadline(now, device.periodS) }
  return facts
}

function readJson(payload: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(payload))
  } catch {
    return undefined
  }
}

/**
 * Takes what devices say about commands. Resolves when it is stored, with the reason for one that is none of
 * ours; rejects only when the store is away.
 */
export function createReplies({ store, directory, clock, onDone }: RepliesNeeds) {
  /** The device a command is for, if it speaks through this node. */
  async function findDevice(id: string, from: ReplyingNode): Promise<DirectoryEntry | undefined> {
    const deviceId = await store.findDeviceId(id)
    const device = deviceId === undefined ? undefined : directory.findById(deviceId)
    return device && device.tenant === from.tenant && directory.nodeOf(device) === from.node
      ? device
      : undefined
  }

  return {
    async takeReply(from: ReplyingNode, payload: Uint8Array): Promise<ReplyReject | undefined> {
      const value = readJson(payload)
      if (value === undefined) return 'malformed-json'
      const parsed = replyMessage.safeParse(value)
      if (!parsed.success) return 'wrong-schema'
      const reply = parsed.data
      const device = await findDevice(reply.id, from)
      if (!device || device.serial !== reply.dev) return 'unknown-command'
      const event = eventOf(reply)
      const next = await store.apply(reply.id, event, factsOf(reply, event, clock.now(), device))
      if (next === 'done') await onDone({ id: reply.id, deviceId: device.id, doneAt: reply.ts })
      return undefined
    },

    /** The device's broker session acknowledged a message on its command topic. */
    async takeDelivery(payload: Uint8Array): Promise<void> {
      const parsed = commandMessage.safeParse(readJson(payload))
      if (parsed.success) await store.apply(parsed.data.id, 'delivered', { at: clock.now() })
    },
  }
}
