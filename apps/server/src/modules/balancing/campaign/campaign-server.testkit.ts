/** Campaigns in a separate process, for tests that kill it (`startCampaignProcess`). */
import { READY } from '../../../testing/server-process.testkit.ts'
import { startCampaignProcess } from './campaign-process.testkit.ts'

await startCampaignProcess()
console.log(`${READY}${JSON.stringify({ port: 0 })}`)
