import { createServer } from 'node:net'
import { Aedes } from 'aedes'

/** The peer: an unmodified aedes broker, which acknowledges without storing. Prints its port. */
const broker = await Aedes.createBroker({ concurrency: 1_000 })
const server = createServer(broker.handle)
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(JSON.stringify({ port: typeof address === 'object' ? address?.port : undefined }))
})
process.on('disconnect', () => process.exit(0))
