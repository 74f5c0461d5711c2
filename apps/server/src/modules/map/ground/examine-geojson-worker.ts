import { readFile } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { examineGeojson } from './examine-geojson.ts'

/** Examines the file named by the data of the worker, and posts what it is. A file that cannot be read ends it with an error. */
parentPort?.postMessage(examineGeojson(await readFile(String(workerData), 'utf8')))
