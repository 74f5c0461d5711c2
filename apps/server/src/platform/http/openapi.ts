import { type Endpoint, toUrlPath, WORKBOOK_TYPE } from '@isotherm/contract/endpoint'
import { endpoints } from '@isotherm/contract/endpoints/all'
import { htApiEnvelope, usrCloudEnvelope } from '@isotherm/contract/envelope'
import { z } from 'zod'

type Json = Record<string, unknown>

/** JSON schema. References of a recursive schema to itself are rewritten to its place in the document, `pointer`. */
function toSchema(schema: z.ZodType, io: 'input' | 'output', pointer: string): Json {
  const text = JSON.stringify(z.toJSONSchema(schema, { io, target: 'draft-2020-12' }))
  const { $schema, ...rest } = z
    .record(z.string(), z.unknown())
    .parse(JSON.parse(text.replaceAll('"$ref":"#', `"$ref":"#${pointer}`)))
  return rest
}

const escapePointer = (path: string): string => path.replaceAll('~', '~0').replaceAll('/', '~1')

function toParameters(schema: z.ZodType, pointer: string): Json[] {
  const { properties, required } = z
    .object({
      properties: z.record(z.string(), z.unknown()).catch({}),
      required: z.array(z.string()).catch([]),
    })
    .parse(toSchema(schema, 'input', pointer))
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema: property,
  }))
}

function toAccessText(endpoint: Endpoint): string {
  if (endpoint.access.kind === 'public') return 'Requires no session.'
  if (endpoint.access.kind === 'session') return 'Requires a session.'
  return `Requires one of the permissions ${endpoint.access.anyOf.join(', ')}.`
}

/** Schema of a file. */
const workbook = { [WORKBOOK_TYPE]: { schema: { type: 'string', format: 'binary' } } } as const

function toOperation(name: string, endpoint: Endpoint): Json {
  const pointer = `/paths/${escapePointer(toUrlPath(endpoint))}/${endpoint.method.toLowerCase()}`
  const content = (place: string, schema: Json) => ({ [place]: { 'application/json': { schema } } }).content
  const isUsrCloud = endpoint.backend === 'usr-cloud'
  const dataPointer = `${pointer}/responses/200/content/application~1json/schema/properties/data`
  const envelope = toSchema(isUsrCloud ? usrCloudEnvelope : htApiEnvelope, 'output', pointer)
  const properties = z.record(z.string(), z.unknown()).parse(envelope.properties)
  const answer = {
    ...envelope,
    properties: { ...properties, data: toSchema(endpoint.output, 'output', dataPointer) },
  }
  const isQuery = endpoint.method === 'GET' || endpoint.file === 'upload'
  const input = isQuery
    ? {
        parameters: toParameters(endpoint.input, pointer),
        ...(endpoint.file === 'upload' ? { requestBody: { required: true, content: workbook } } : {}),
      }
    : {
        requestBody: {
          content: content(
            'content',
            toSchema(endpoint.input, 'input', `${pointer}/requestBody/content/application~1json/schema`),
          ),
        },
      }
  const errors = endpoint.errors.length > 0 ? ` Specific errors: ${endpoint.errors.join(', ')}.` : ''
  return {
    operationId: name,
    tags: [endpoint.backend],
    summary: endpoint.summary,
    description: `${toAccessText(endpoint)}${errors}`,
    security: endpoint.access.kind === 'public' ? [] : [{ [endpoint.backend]: [] }],
    ...input,
    responses: {
      200: {
        description: 'The envelope, also if the call failed.',
        content: {
          ...(endpoint.file === 'download' ? workbook : {}),
          ...content('content', answer),
        },
      },
    },
  }
}

function toPaths(): Record<string, Json> {
  const named: readonly [string, Endpoint][] = Object.entries(endpoints)
  const paths: Record<string, Json> = {}
  for (const [name, endpoint] of named) {
    const path = toUrlPath(endpoint)
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: toOperation(name, endpoint) }
  }
  return paths
}

/** OpenAPI description of all endpoints of the contract. Paths are built at the first read, so that the start does not wait. */
export function toOpenApi() {
  let paths: Record<string, Json> | undefined
  return {
    openapi: '3.1.0',
    info: { title: 'Isotherm', version: '0.2.0', description: 'Both backends of the console.' },
    components: {
      securitySchemes: {
        'usr-cloud': { type: 'apiKey', in: 'header', name: 'token' } as const,
        'ht-api': { type: 'http', scheme: 'bearer' } as const,
      },
    },
    get paths() {
      paths ??= toPaths()
      return paths
    },
  }
}
