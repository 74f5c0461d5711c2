import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

export interface Process {
  readonly pid: number
  readonly parent: number
  /** Program and arguments, joined by spaces; empty for a process that has ended but was not yet reaped. */
  readonly command: string
}

/** Linux without any tool installed: a small image has no `ps`. */
function readProc(): readonly Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // The name in parentheses may hold spaces; the parent is the second field after it.
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
        const [, parent = '0'] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
        return [{ pid: Number(name), parent: Number(parent), command }]
      } catch {
        return [] // it ended while the list was read
      }
    })
}

const readPs = (): readonly Process[] =>
  execFileSync('ps', ['-axo', 'pid=,ppid=,command='], { encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => {
      const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
      return pid && parent ? [{ pid: Number(pid), parent: Number(parent), command: command ?? '' }] : []
    })

/** Every process of the machine. */
export const listProcesses = (): readonly Process[] => (process.platform === 'linux' ? readProc() : readPs())

/** The processes below `pid`, at any depth, without itself. */
export function listDescendants(pid: number, all: readonly Process[] = listProcesses()): readonly Process[] {
  const children = all.filter(({ parent }) => parent === pid)
  return children.flatMap((child) => [child, ...listDescendants(child.pid, all)])
}

/** Resident memory of a process in MB (10⁶ bytes). */
export function readResidentMb(pid: number): number {
  if (process.platform === 'linux') {
    const kib = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    if (kib === undefined) throw new Error(`Process ${pid} tells no resident size`)
    return (Number(kib) * 1024) / 1e6
  }
  return (Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024) / 1e6
}
