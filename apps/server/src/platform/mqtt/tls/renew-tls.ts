import type { Clock } from '../../clock.ts'
import type { MqttTlsConfig } from '../../config-mqtt.ts'
import type { Log } from '../../log.ts'
import { type PollLoop, startPollLoop } from '../../tasks/poll-loop.ts'
import { readTlsFiles, type TlsFiles, type TlsTexts } from './tls-files.ts'

/** Files are read and compared, not watched: programs that renew certificates replace links, folders or files. */
const PAUSE_MS = 60_000

interface Client {
  readonly certificate?: { readonly expiresAt: number }
}

/** What the embedded broker does with renewed certificates. */
interface RenewableBroker {
  /** Throws if they cannot be used; then the old ones stay. */
  setTls(material: TlsTexts): void
  disconnectWhere(condition: (client: Client) => boolean): void
}

export interface RenewTlsNeeds {
  readonly config: MqttTlsConfig
  /** The files that the broker uses now. */
  readonly first: TlsFiles
  readonly broker: RenewableBroker
  readonly clock: Clock
  readonly log: Log
}

/** What certificates of gateways are judged by. */
const toTrust = ({ material }: TlsFiles): string =>
  JSON.stringify([material.clientAuthorities, material.revocations])

/**
 * Lets the broker use renewed certificates, and disconnects gateways whose certificates may no longer hold: expired ones, and
 * after a change of the authorities or the revocation lists all of them, because they sign in again and are judged anew.
 */
export function renewTls({ config, first, broker, clock, log }: RenewTlsNeeds): PollLoop {
  let present = first
  let lastFault = ''

  function report(fault: string, error?: unknown): void {
    if (fault !== lastFault && fault !== '') log.error({ err: error }, fault)
    lastFault = fault
  }

  function use(renewed: TlsFiles): void {
    const isTrustChanged = toTrust(renewed) !== toTrust(present)
    broker.setTls(renewed.material)
    present = renewed
    log.info({ until: new Date(renewed.expiresAt) }, 'the MQTT broker uses renewed certificates')
    if (isTrustChanged) broker.disconnectWhere(({ certificate }) => certificate !== undefined)
  }

  async function work(): Promise<void> {
    const renewed = await readTlsFiles(config, present)
    if (renewed !== present) use(renewed)
    const now = clock.now()
    const isOutdated = present.revocationsEnd !== undefined && present.revocationsEnd <= now
    report(isOutdated ? 'the revocation list is outdated: no device can sign in with its certificate' : '')
  }

  function disconnectEnded(): void {
    const now = clock.now()
    broker.disconnectWhere(({ certificate }) => certificate !== undefined && certificate.expiresAt <= now)
  }

  return startPollLoop({
    clock,
    work: () => work().finally(disconnectEnded),
    firstMs: PAUSE_MS,
    pauseMs: PAUSE_MS,
    // Half renewed files come here too: the next run finds the other half.
    onError(error) {
      const reason = error instanceof Error ? error.message : String(error)
      report(`the renewed certificates of the MQTT broker are not used, the old ones stay: ${reason}`, error)
    },
  })
}
