import { orderMessage, type ReplyMessage, replyCodes, replyMessage } from '@isotherm/contract/mqtt'
import type { Clock } from '../../../platform/clock.ts'
import { isDataError } from '../../../platform/postgres/data-error.ts'
import type { DeviceDirectory, DirectoryEntry } from '../../devices/index.ts'
import type { AwaitingCommand, CommandStore, CommandTarget, EventFacts } from '../model/records.ts'
import type { CommandEvent } from '../model/state-machine.ts'
import { toConfirmDeadline, toStrokeDeadline } from '../model/timing.ts'

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
  readonly onDone: (command: AwaitingCommand) => void
  /** The client that a device speaks through was heard. */
  readonly onHeard: (deviceId: number) => void
}

const eventOf = ({ stage, code }: ReplyMessage): CommandEvent => {
  if (code === replyCodes.superseded) return 'outdated'
  if (code === replyCodes.expired) return 'too-late'
  if (code !== replyCodes.ok) return 'refused'
  return stage === 'done' ? 'done' : 'accepted'
}

/** When the device was done, by its clock as far as that can be true: not before the order, not ahead of us. */
const toDoneAt = (reply: ReplyMessage, target: CommandTarget, now: number): number =>
  Math.min(Math.max(reply.ts, target.createdAt), now)

function factsOf(
  reply: ReplyMessage,
  event: CommandEvent,
  now: number,
  periodS: number,
  doneAt: number,
): EventFacts {
  // Neither a NUL nor half a character can be stored, and nobody reads them.
  const msg = (reply.msg ?? '').replaceAll('\u0000', '').toWellFormed()
  const detail = [reply.stage, reply.code, msg].join(' ').trim()
  const facts = { at: now, detail, resultCode: reply.code }
  if (event === 'accepted') return { ...facts, deadlineAt: toStrokeDeadline(now) }
  if (event === 'done') return { ...facts, doneAt, deadlineAt: toConfirmDeadline(now, periodS) }
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
 * ours or that the store will never take; rejects only when the store is away.
 */
export function createReplies({ store, directory, clock, onDone, onHeard }: RepliesNeeds) {
  /** The device that a command is for, if it speaks through this node. */
  function findDevice({ deviceId }: CommandTarget, from: ReplyingNode): DirectoryEntry | undefined {
    const device = directory.findById(deviceId)
    return device && device.tenant === from.tenant && directory.gatewayOf(device) === from.node
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
      const target = await store.findTarget(reply.id)
      const device = target && findDevice(target, from)
      if (!device || device.serial !== reply.dev) return 'unknown-command'
      onHeard(device.concentratorId ?? device.id)
      const { deviceId, kind, target: asked } = target
      const now = clock.now()
      const doneAt = toDoneAt(reply, target, now)
      const event = eventOf(reply)
      try {
        const next = await store.apply(reply.id, event, factsOf(reply, event, now, device.periodS, doneAt))
        if (next === 'done') onDone({ id: reply.id, deviceId, kind, target: asked, doneAt })
        return undefined
      } catch (error) {
        if (isDataError(error)) return 'wrong-schema'
        throw error
      }
    },

    /** The device's broker session acknowledged a message on its command topic. */
    async takeDelivery(payload: Uint8Array): Promise<void> {
      const parsed = orderMessage.safeParse(readJson(payload))
      if (parsed.success) await store.apply(parsed.data.id, 'delivered', { at: clock.now() })
    },
  }
}
