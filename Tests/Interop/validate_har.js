// Checks HAR files against the schemas of the package har-schema.
//
//     node validate_har.js FILE …
const fs = require('fs')
const Ajv = require('ajv')
const schemas = require('har-schema')

const ajv = new Ajv({ allErrors: true, schemaId: 'auto' })
ajv.addMetaSchema(require('ajv/lib/refs/json-schema-draft-06.json'))
Object.values(schemas).forEach((schema) => ajv.addSchema(schema))
const validate = ajv.getSchema('har.json#')
for (const file of process.argv.slice(2)) {
  if (!validate(JSON.parse(fs.readFileSync(file)))) {
    console.error(file, validate.errors)
    process.exit(1)
  }
}
