import { orderMessage, type ReplyMessage, replyCodes, replyMessage } from '@isotherm/contract/mqtt'
import type { Clock } from '../../../platform/clock.ts'
import { isDataError } from '../../../platform/postgres/data-error.ts'
import type { DeviceDirectory, DirectoryEntry } from '../../devices/index.ts'
import type { ApplyEvent, AwaitingCommand, CommandTarget, EventFacts } from '../model/records.ts'
import type { CommandEvent } from '../model/state-machine.ts'
import { toConfirmDeadline, toStrokeDeadline } from '../model/timing.ts'
import { isReadRequest, type ReadRequests } from '../reads/read-requests.ts'
import { isScan, type LineScans } from '../scans/line-scans.ts'

/** Why a reply is rejected. */
export type ReplyReject = 'malformed-json' | 'wrong-schema' | 'unknown-command'

/** The gateway that sent a reply. */
export interface ReplyingGateway {
  readonly tenant: string
  /** Its name in topics. */
  readonly gateway: string
}

export interface RepliesNeeds {
  readonly apply: ApplyEvent
  readonly findTarget: (id: string) => Promise<CommandTarget | undefined>
  readonly reads: Pick<ReadRequests, 'accept'>
  readonly scans: Pick<LineScans, 'accept'>
  readonly directory: DeviceDirectory
  readonly clock: Clock
  /** A device reported a command as done; a reading must confirm it. */
  readonly onDone: (command: AwaitingCommand) => void
  /** The gateway of a device has reported. */
  readonly onUplink: (deviceId: number) => void
}

const eventOf = ({ stage, code }: ReplyMessage): CommandEvent => {
  if (code === replyCodes.superseded) return 'outdated'
  if (code === replyCodes.expired) return 'too-late'
  if (code !== replyCodes.ok) return 'refused'
  return stage === 'done' ? 'done' : 'accepted'
}

/** Time of `done` by the device's clock, limited to the range from the order to now. */
const toDoneAt = (reply: ReplyMessage, target: CommandTarget, now: number): number =>
  Math.min(Math.max(reply.ts, target.createdAt), now)

function factsOf(
  reply: ReplyMessage,
  event: CommandEvent,
  now: number,
  periodS: number,
  doneAt: number,
): EventFacts {
  // PostgreSQL can store neither NUL nor lone surrogates.
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
 * Accepts replies of devices to commands. Resolves when a reply is stored, or with the reason if it is rejected. Rejects
 * only while the database is unavailable.
 */
export function createReplies(needs: RepliesNeeds) {
  const { apply, findTarget, reads, scans, directory, clock, onDone, onUplink } = needs

  /** The device of a command, if the reply came from its gateway. */
  function findDevice({ deviceId }: CommandTarget, from: ReplyingGateway): DirectoryEntry | undefined {
    const device = directory.findById(deviceId)
    return device && device.tenant === from.tenant && directory.gatewayOf(device) === from.gateway
      ? device
      : undefined
  }

  async function acceptAnswer(
    requests: Pick<ReadRequests | LineScans, 'accept'>,
    from: ReplyingGateway,
    reply: ReplyMessage,
  ): Promise<ReplyReject | undefined> {
    const deviceId = await requests.accept(from, reply)
    const device = deviceId === undefined ? undefined : directory.findById(deviceId)
    if (!device) return 'unknown-command'
    onUplink(device.concentratorId ?? device.id)
    return undefined
  }

  return {
    async acceptReply(from: ReplyingGateway, payload: Uint8Array): Promise<ReplyReject | undefined> {
      const value = readJson(payload)
      if (value === undefined) return 'malformed-json'
      const parsed = replyMessage.safeParse(value)
      if (!parsed.success) return 'wrong-schema'
      const reply = parsed.data
      // PostgreSQL would refuse to look for it, and an unstored reply would come again for ever.
      if (reply.id.includes('\u0000')) return 'unknown-command'
      if (isReadRequest(reply.id)) return acceptAnswer(reads, from, reply)
      if (isScan(reply.id)) return acceptAnswer(scans, from, reply)
      const target = await findTarget(reply.id)
      const device = target && findDevice(target, from)
      if (!device || device.serial !== reply.dev) return 'unknown-command'
      onUplink(device.concentratorId ?? device.id)
      const { deviceId, kind, target: setpoint } = target
      const now = clock.now()
      const doneAt = toDoneAt(reply, target, now)
      const event = eventOf(reply)
      try {
        const next = await apply(reply.id, event, factsOf(reply, event, now, device.periodS, doneAt))
        if (next === 'done') onDone({ id: reply.id, deviceId, kind, target: setpoint, doneAt })
        return undefined
      } catch (error) {
        if (isDataError(error)) return 'wrong-schema'
        throw error
      }
    },

    /** The gateway has acknowledged a message on its command topic. */
    async acceptDelivery(payload: Uint8Array): Promise<void> {
      const parsed = orderMessage.safeParse(readJson(payload))
      if (parsed.success) await apply(parsed.data.id, 'delivered', { at: clock.now() })
    },
  }
}
