import {
  ackMessage,
  birthMessage,
  busFramesMessage,
  commandMessage,
  historyRequest,
  loginMessage,
  pumpMessage,
  rawAckMessage,
  rawMessage,
  readRequest,
  replyMessage,
  scanRequest,
  stopScanRequest,
  supplyMessage,
  telemetryMessage,
  timeMessage,
  unregisteredMessage,
} from '@isotherm/contract/mqtt'
import type { z } from 'zod'

/** A message of the reference page: its name there, its schema, and an example with every field. */
export interface DocumentedMessage {
  readonly title: string
  readonly schema: z.ZodType
  readonly example: unknown
}

const COMMAND = { v: 1, id: '01JDXW3Y7Q2V9T4M8K6N5B1C0D', dev: '11110012345678' }
const ISSUED = { iat: 1_763_683_260_000, exp: 1_763_683_320_000, rev: 812 }

/** All messages by their name in guide.md. */
export const documentedMessages: Readonly<Record<string, DocumentedMessage>> = {
  birth: {
    title: 'up/birth',
    schema: birthMessage,
    example: {
      v: 1,
      online: false,
      boot: 17,
      ts: 1_763_683_200_000,
      reason: 'sleep',
      firmware: 'valve 2.4.1',
      timeFactor: 1,
    },
  },
  telemetry: {
    title: 'up/telemetry, up/history, up/event',
    schema: telemetryMessage,
    example: {
      v: 1,
      boot: 17,
      seq: 40_213,
      ts: 1_763_683_200_000,
      d: [
        {
          id: '11110012345678',
          ts: 1_763_683_195_000,
          dt: 1_763_683_190_000,
          q: 0,
          m: { 'valve.opening': 45, 'temp.supply': 45.25, 'temp.return': 30.12, 'bat.v': 3.58, rssi: -97 },
        },
      ],
    },
  },
  reply: {
    title: 'up/reply',
    schema: replyMessage,
    example: {
      v: 1,
      id: COMMAND.id,
      dev: COMMAND.dev,
      stage: 'done',
      code: 0,
      msg: '',
      res: {
        opening: 45,
        head: 60,
        offset: -1.5,
        scan: { requested: 12, of: 31, found: 2, known: 1, collisions: 0 },
      },
      ts: 1_763_683_281_000,
      boot: 17,
      seq: 3,
    },
  },
  unregistered: {
    title: 'up/unregistered',
    schema: unregisteredMessage,
    example: {
      v: 1,
      d: [
        {
          line: 'riser-3',
          address: '24e124136b502217',
          n: 4,
          ts: 1_763_683_200_000,
          hex: '03673401046871',
          port: 85,
          p: { temperature: 21.5 },
        },
      ],
    },
  },
  raw: {
    title: 'up/raw',
    schema: rawMessage,
    example: {
      v: 1,
      boot: 17,
      seq: 12,
      ts: 1_763_683_200_000,
      f: [
        {
          id: '53051590690010',
          ts: 1_763_683_199_500,
          dir: 'rx',
          hex: '6810690590051533788405A0170100007C16',
        },
      ],
    },
  },
  command: {
    title: 'down/cmd: valve.set',
    schema: commandMessage,
    example: { ...COMMAND, do: 'valve.set', args: { opening: 45, maxSec: 1_800 }, ...ISSUED },
  },
  pump: {
    title: 'down/cmd: pump.set',
    schema: pumpMessage,
    example: { ...COMMAND, do: 'pump.set', args: { head: 60 }, ...ISSUED },
  },
  supply: {
    title: 'down/cmd: supply.set',
    schema: supplyMessage,
    example: { ...COMMAND, do: 'supply.set', args: { offset: -1.5 }, ...ISSUED },
  },
  history: {
    title: 'down/cmd: getHistory',
    schema: historyRequest,
    example: {
      v: 1,
      id: 'history-17-40200-40205',
      dev: 'C-000117',
      do: 'getHistory',
      args: { boot: 17, from: 40_200, to: 40_205 },
      iat: 1_763_683_260_000,
      exp: 1_763_686_860_000,
    },
  },
  read: {
    title: 'down/cmd: read',
    schema: readRequest,
    example: {
      v: 1,
      id: 'read-4c1f9f0e-6f0b-4f6e-9d0a-5d2b8a1c7e33',
      dev: 'M-000231',
      do: 'read',
      iat: 1_763_683_260_000,
      exp: 1_763_683_320_000,
    },
  },
  scan: {
    title: 'down/cmd: scan',
    schema: scanRequest,
    example: {
      v: 1,
      id: 'scan-9a0e6f0b-4c1f-4f6e-9d0a-5d2b8a1c7e33',
      dev: 'C-000117',
      do: 'scan',
      args: { line: 'riser-3', method: 'mbus-secondary' },
      iat: 1_763_683_260_000,
      exp: 1_763_690_460_000,
    },
  },
  stopScan: {
    title: 'down/cmd: stopScan',
    schema: stopScanRequest,
    example: {
      v: 1,
      id: 'scan-9a0e6f0b-4c1f-4f6e-9d0a-5d2b8a1c7e33',
      dev: 'C-000117',
      do: 'stopScan',
      iat: 1_763_683_300_000,
      exp: 1_763_683_360_000,
    },
  },
  ack: { title: 'down/ack', schema: ackMessage, example: { boot: 17, seq: 40_213 } },
  rawAck: { title: 'down/ack, of raw frames', schema: rawAckMessage, example: { boot: 17, raw: 12 } },
  time: { title: 'down/time', schema: timeMessage, example: { now: 1_763_683_200_000 } },
  login: {
    title: 'down/login',
    schema: loginMessage,
    example: {
      v: 1,
      username: 'demo/C-000117',
      password: '9c1d9b1f0a0e4c0c8f9d5b7a6e3f2d1c0b9a8f7e6d5c4b3a291807f6e5d4c3b2',
    },
  },
  busFrames: {
    title: 'down/raw',
    schema: busFramesMessage,
    example: { v: 1, f: [{ hex: '6810690590051533780404A01701555016' }] },
  },
}
