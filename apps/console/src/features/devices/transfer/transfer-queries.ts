import { getTransferCauses, getTransfers } from '@isotherm/contract/endpoints/devices/transfer'
import type { Transfer, TransferKind, TransferState } from '@isotherm/contract/transfer'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'

/** Recent imports that are listed. */
const RECENT = 5
/** Poll period while the server works, ms. */
const POLL_MS = 1_000

export const transferKeys = { all: ['transfers'] as const }

/** States in which the server works on an import. */
const running: ReadonlySet<TransferState> = new Set<TransferState>(['checking', 'importing'])

export const isRunning = ({ state }: Pick<Transfer, 'state'>): boolean => running.has(state)

/** The newest imports of the account. */
export const recentQuery = (kind: TransferKind) =>
  queryOptions({
    queryKey: [...transferKeys.all, 'recent', kind],
    queryFn: ({ signal }) => call(getTransfers, { kind, limiter: { page: 1, size: RECENT } }, { signal }),
  })

/** One import, with its progress while the server works. */
export const transferQuery = (transferId: number) =>
  queryOptions({
    queryKey: [...transferKeys.all, transferId],
    queryFn: async ({ signal }) => {
      const { datalist } = await call(getTransfers, { transferId }, { signal })
      return datalist[0] ?? null
    },
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? POLL_MS : false),
  })

/** Failed rows of an import by cause. */
export const causesQuery = (transferId: number, version: number) =>
  queryOptions({
    queryKey: [...transferKeys.all, transferId, 'causes', version],
    queryFn: ({ signal }) => call(getTransferCauses, { transferId }, { signal }),
  })
