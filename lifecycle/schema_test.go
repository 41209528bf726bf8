package lifecycle

import (
	"encoding/json"
	"math"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// checker is as much of JSON Schema as the report's schema uses.
type checker struct {
	t    testing.TB
	root map[string]any
}

func newChecker(t testing.TB) checker {
	t.Helper()
	var root map[string]any
	if err := json.Unmarshal(Schema(), &root); err != nil {
		t.Fatal(err)
	}
	return checker{t, root}
}

// accepts reports whether the schema allows a body.
func (c checker) accepts(body []byte) bool {
	var v any
	return json.Unmarshal(body, &v) == nil && c.valid(c.root, v)
}

func (c checker) valid(s map[string]any, v any) bool {
	for word, arg := range s {
		if !c.keyword(s, word, arg, v) {
			return false
		}
	}
	return true
}

func (c checker) keyword(s map[string]any, word string, arg, v any) bool {
	switch word {
	case "$schema", "$id", "$defs", "title", "description", "default", "then":
		return true
	case "$ref":
		def := c.root["$defs"].(map[string]any)[strings.TrimPrefix(arg.(string), "#/$defs/")]
		return c.valid(def.(map[string]any), v)
	case "type":
		return isType(arg, v)
	case "const":
		return arg == v
	case "enum":
		for _, e := range arg.([]any) {
			if e == v {
				return true
			}
		}
		return false
	case "not":
		return !c.valid(arg.(map[string]any), v)
	case "allOf":
		for _, sub := range arg.([]any) {
			if !c.valid(sub.(map[string]any), v) {
				return false
			}
		}
		return true
	case "if":
		return !c.valid(arg.(map[string]any), v) || c.valid(s["then"].(map[string]any), v)
	}
	switch v := v.(type) {
	case string:
		return c.text(word, arg, v)
	case float64:
		return word != "minimum" || v >= arg.(float64)
	case []any:
		return c.array(s, word, arg, v)
	case map[string]any:
		return c.object(s, word, arg, v)
	}
	return true
}

func (c checker) text(word string, arg any, v string) bool {
	switch word {
	case "pattern":
		return regexp.MustCompile(arg.(string)).MatchString(v)
	case "minLength":
		return utf8.RuneCountInString(v) >= int(arg.(float64))
	case "maxLength":
		return utf8.RuneCountInString(v) <= int(arg.(float64))
	}
	return true
}

func (c checker) array(s map[string]any, word string, arg any, v []any) bool {
	prefix, _ := s["prefixItems"].([]any)
	switch word {
	case "minItems":
		return len(v) >= int(arg.(float64))
	case "maxItems":
		return len(v) <= int(arg.(float64))
	case "prefixItems":
		for i := range min(len(v), len(prefix)) {
			if !c.valid(prefix[i].(map[string]any), v[i]) {
				return false
			}
		}
	case "items":
		for _, item := range v[min(len(v), len(prefix)):] {
			if !c.valid(arg.(map[string]any), item) {
				return false
			}
		}
	}
	return true
}

func (c checker) object(s map[string]any, word string, arg any, v map[string]any) bool {
	props, _ := s["properties"].(map[string]any)
	switch word {
	case "required":
		for _, k := range arg.([]any) {
			if _, ok := v[k.(string)]; !ok {
				return false
			}
		}
	case "properties":
		for k, sub := range props {
			if member, ok := v[k]; ok && !c.valid(sub.(map[string]any), member) {
				return false
			}
		}
	case "additionalProperties":
		for k, member := range v {
			sub, isSchema := arg.(map[string]any)
			if _, known := props[k]; !known && (!isSchema || !c.valid(sub, member)) {
				return false
			}
		}
	case "propertyNames":
		for k := range v {
			if !c.valid(arg.(map[string]any), k) {
				return false
			}
		}
	case "maxProperties":
		return len(v) <= int(arg.(float64))
	default:
		if !strings.Contains(" pattern minLength maxLength minimum minItems maxItems prefixItems items ", " "+word+" ") {
			c.t.Fatalf("the checker does not know the keyword %s", word)
		}
	}
	return true
}

func isType(want, v any) bool {
	if list, ok := want.([]any); ok {
		for _, w := range list {
			if isType(w, v) {
				return true
			}
		}
		return false
	}
	switch v := v.(type) {
	case nil:
		return want == "null"
	case string:
		return want == "string"
	case bool:
		return want == "boolean"
	case float64:
		return want == "number" || want == "integer" && v == math.Trunc(v)
	case []any:
		return want == "array"
	case map[string]any:
		return want == "object"
	}
	return false
}
