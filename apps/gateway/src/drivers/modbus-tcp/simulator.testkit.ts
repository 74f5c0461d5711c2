import { createServer, type Socket } from 'node:net'
import { ModbusTCPServer } from 'jsmodbus'

/** Bytes of a register. */
const WIDTH = 2
const REGISTERS = 200

/**
 * The other side of the driver: a controller with holding registers, served by jsmodbus, which is independent of this product. `listen`
 * starts it on its port, `stop` cuts all connections.
 */
export function simulateController() {
  const holding = Buffer.alloc(REGISTERS * WIDTH)
  const state = {
    reads: 0,
    writes: [] as { readonly address: number; readonly value: number }[],
    port: 0,
    /** Connections get no answer. */
    isMute: false,
    /** When connections were opened and closed, ms of a monotonic clock. */
    connections: [] as number[],
    ends: [] as number[],
  }
  const sockets = new Set<Socket>()
  let server: ReturnType<typeof createServer> | undefined

  const listen = (): Promise<number> => {
    const current = createServer((socket) => {
      sockets.add(socket)
      state.connections.push(performance.now())
      socket.on('error', () => socket.destroy())
      socket.once('close', () => {
        sockets.delete(socket)
        state.ends.push(performance.now())
      })
      if (state.isMute) socket.resume()
      else speaking.emit('connection', socket)
    })
    server = current
    const speaking = createServer()
    const modbus = new ModbusTCPServer(speaking, { holding })
    modbus.on('postReadHoldingRegisters', () => {
      state.reads++
    })
    modbus.on('postWriteMultipleRegisters', (request: unknown) => {
      const address = readAddress(request)
      if (address !== undefined) state.writes.push({ address, value: holding.readFloatBE(address * WIDTH) })
    })
    return new Promise((resolve) => {
      current.listen(state.port, '127.0.0.1', () => {
        const bound = current.address()
        state.port = typeof bound === 'object' && bound !== null ? bound.port : 0
        resolve(state.port)
      })
    })
  }

  return {
    state,
    listen,
    setFloat: (register: number, value: number): void => {
      holding.writeFloatBE(value, register * WIDTH)
    },
    floatAt: (register: number): number => holding.readFloatBE(register * WIDTH),
    async stop(): Promise<void> {
      const current = server
      server = undefined
      if (current === undefined) return
      const closed = new Promise<void>((resolve) => current.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** First register of a write request. */
function readAddress(request: unknown): number | undefined {
  if (typeof request !== 'object' || request === null || !('body' in request)) return undefined
  const { body } = request
  if (typeof body !== 'object' || body === null || !('address' in body)) return undefined
  return typeof body.address === 'number' ? body.address : undefined
}
