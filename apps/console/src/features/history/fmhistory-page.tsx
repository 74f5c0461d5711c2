import { HistoryPage } from './view/history-page.tsx'
import { createHistoryAddress } from './view/history-url.ts'

const address = createHistoryAddress('valve')

/** Valve history: curves of devices over a range, valves first. */
export default function FmhistoryPage() {
  return <HistoryPage address={address} />
}
