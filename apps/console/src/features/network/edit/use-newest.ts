import type { NodeRecord } from '@isotherm/contract/endpoints/network/node-record'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { nodeRecordQuery } from './node-record.ts'

/** The record that a form is based on, and how it loads the newest one after a change by another user. */
export function useNewest(opened: NodeRecord) {
  const client = useQueryClient()
  const [base, setBase] = useState(opened)
  const reload = async (): Promise<NodeRecord> => {
    const newest = await client.fetchQuery(nodeRecordQuery(opened.node))
    setBase(newest)
    return newest
  }
  return { base, reload }
}
