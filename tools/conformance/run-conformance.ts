import { checkCommands } from './check-commands.ts'
import { checkAcknowledged, checkHistory, checkOutage, checkRestart, checkStart } from './check-delivery.ts'
import { checkTokenLogin } from './check-login.ts'
import { checkTotals } from './check-totals.ts'
import { createFindings, type Findings } from './findings.ts'
import { createObserver } from './observer.ts'
import { type Limits, presentBoot, type Run, type Withheld } from './run.ts'
import type { ExpectedDevice } from './sign-in.ts'
import { type Published, startStage } from './stage.ts'

export interface ConformanceOptions {
  readonly host: string
  /** 0 selects a free port. */
  readonly port: number
  readonly device: ExpectedDevice
  /** Serials of its devices; empty: any. */
  readonly devices: readonly string[]
  readonly limits: Limits
  readonly print: (text: string) => void
  /** Called with the port when a device may connect. */
  readonly ready: (port: number) => void
  /** Restarts the device, or resolves when a person has restarted it; absent: restarts are not checked. */
  readonly restart?: (() => Promise<void>) | undefined
}

const isKind = ({ channel }: Published, kind: Withheld): boolean =>
  kind === 'reply' ? channel === 'reply' : channel === 'telemetry' || channel === 'event'

/** Acts as the server for one device and returns which rules it observes and which it breaks. */
export async function runConformance(options: ConformanceOptions): Promise<Findings> {
  const { host, port, device, limits, print, restart } = options
  const findings = createFindings()
  const observer = createObserver(findings, options.devices)
  let wanted: Withheld | undefined
  let hasWithheld = false
  const stage = await startStage({
    host,
    port,
    device,
    findings,
    receive(message) {
      observer.receive(message)
      if (wanted === undefined || !isKind(message, wanted)) return true
      wanted = undefined
      hasWithheld = true
      return false
    },
  })
  const run: Run = {
    device,
    findings,
    stage,
    observer,
    limits,
    print,
    withhold(kind) {
      wanted = kind
      hasWithheld = false
    },
    wasWithheld: () => hasWithheld,
  }
  try {
    options.ready(stage.port)
    print('waiting for the device')
    await checkTokenLogin(run)
    if (await checkStart(run)) {
      print('the link is lost for some report periods')
      await checkOutage(run)
      print('earlier messages are requested')
      await checkHistory(run)
      if (restart) {
        print('the device restarts')
        await checkRestart(run, restart)
      }
      print('everything is acknowledged')
      await checkAcknowledged(run)
      if ((await checkCommands(run)) === 0) print('it reports nothing that a command could set')
      print('the rest is awaited')
      await stage.until(() => observer.listMissing(presentBoot(run)).length === 0, limits.historyMs)
      checkTotals(observer, findings)
    }
  } finally {
    await stage.close()
  }
  return findings
}
