import { readFileSync } from 'node:fs'

/** A process and all below it, by /proc of Linux. */
export function listTree(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  return [pid, ...children.filter(Boolean).flatMap((child) => listTree(Number(child)))]
}
