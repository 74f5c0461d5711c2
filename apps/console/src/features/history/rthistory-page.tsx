import { HistoryPage } from './view/history-page.tsx'
import { createHistoryAddress } from './view/history-url.ts'

const address = createHistoryAddress('room-sensor')

/** Room temperature history: curves of devices over a range, room sensors first. */
export default function RthistoryPage() {
  return <HistoryPage address={address} />
}
