import type { DeviceDirectory } from '../../devices/index.ts'
import type { LatestValues } from '../latest/latest-values.ts'
import type { LatestUpdate } from '../messages/latest-update.ts'
import type { ReadingMessage, Sample } from '../messages/sample.ts'
import type { PresenceWatch } from '../presence/presence-watch.ts'

/** Live samples that just became durable, and the devices whose newest values they changed. */
export interface CommittedSamples {
  readonly samples: readonly Sample[]
  /** Ids of devices; also those whose presence changed without a reading. */
  readonly changed: ReadonlySet<number>
  /** Whether this server stored them. Of all replicas exactly one reports a sample as its own. */
  readonly own: boolean
}

export type CommittedListener = (committed: CommittedSamples) => void

export interface LiveReadingsOptions {
  readonly directory: Pick<DeviceDirectory, 'findById'>
  readonly presence: Pick<PresenceWatch, 'recordGateway' | 'recordReading' | 'flush' | 'onChanged'>
  readonly latest: Pick<LatestValues, 'apply' | 'mark'>
  /** Offset of a gateway's clock that is tolerated and not corrected, ms. */
  readonly toleratedOffsetOf: (gatewayId: number) => number
}

/** Applies durable readings to presence and newest values, and notifies the listeners. */
export interface LiveReadings {
  /** `own`: whether this server stored the messages. */
  apply(messages: readonly ReadingMessage[], own: boolean): void
  /** Applies a newest value that another replica stored, read from the store. */
  applyStored(update: LatestUpdate): void
  /** Applies a newest value at start, when nobody listens yet. */
  restore(update: LatestUpdate): void
  onCommitted(listener: CommittedListener): void
}

export function createLiveReadings(options: LiveReadingsOptions): LiveReadings {
  const { directory, presence, latest } = options
  const listeners: CommittedListener[] = []

  function notify(committed: CommittedSamples): void {
    for (const listener of listeners) listener(committed)
  }

  function notifyChanged(changed: ReadonlySet<number>): void {
    if (changed.size > 0) notify({ samples: [], changed, own: false })
  }

  presence.onChanged((changes) => notifyChanged(latest.mark(changes)))

  /** A gateway whose message another replica received reports to this one as well. */
  function recordGateways(messages: readonly ReadingMessage[]): void {
    for (const message of messages) {
      const gateway = directory.findById(message.gatewayId)
      if (gateway) presence.recordGateway(gateway)
    }
  }

  function recordReadings(messages: readonly ReadingMessage[]): void {
    for (const message of messages) {
      const offsetMs = options.toleratedOffsetOf(message.gatewayId)
      for (const { device, ts } of message.samples) presence.recordReading(device, ts + offsetMs)
    }
  }

  function restore(update: LatestUpdate): ReadonlySet<number> {
    const device = directory.findById(update.deviceId)
    if (device) presence.recordReading(device, update.ts)
    return latest.apply([update])
  }

  return {
    apply(messages, own) {
      const live = messages.filter((message) => message.live)
      if (!own) recordGateways(messages)
      recordReadings(live)
      presence.flush()
      const samples = live.flatMap((message) => message.samples)
      const changed = latest.apply(
        samples.map(({ device, ts, quality, values }) => ({ deviceId: device.id, ts, quality, values })),
      )
      if (samples.length > 0) notify({ samples, changed, own })
    },
    applyStored: (update) => notifyChanged(restore(update)),
    restore,
    onCommitted: (listener) => listeners.push(listener),
  }
}
