import { readFile } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { examineGeojson } from './examine-geojson.ts'

/** Examines the file that the data of the worker names, and posts the result. A file that cannot be read ends the worker with an error. */
parentPort?.postMessage(examineGeojson(await readFile(String(workerData), 'utf8')))
