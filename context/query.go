package memory

import "time"

// Query asks for notes. The text is words, never a language: no character in it
// has a meaning of its own.
type Query struct {
	Text     string
	Project  ID     // whoever asks stands in this project: its notes come first
	Checkout string // and in this checkout
	Only     bool   // notes of Project alone
	Kinds    []Kind // empty: all
	Since    time.Time
	All      bool // invalidated and superseded notes too
	N        int  // how many hits; 0 means 10
	// Fresh says how a note's files stand in the asker's checkout: a word for
	// it and a factor for the score. It is called for the best candidates only; nil: not asked.
	Fresh func(Note) (word string, factor float64)
}

// Result is the answer to a query.
type Result struct {
	Hits     []Hit    `json:"hits"`
	Searched int      `json:"searched"`          // notes that were looked through
	Words    []string `json:"words"`             // what was looked for
	Literal  bool     `json:"literal,omitempty"` // the text had no word to search for, so it was looked for as it stands
	Scan     bool     `json:"scan,omitempty"`    // answered without the index
}

// Hit is a note that answers a query.
type Hit struct {
	Note
	ProjectName string  `json:"project_name"`
	Score       float64 `json:"score"`
	Why         Why     `json:"why"`
	Freshness   string  `json:"freshness,omitempty"`
	Snippet     Snippet `json:"snippet"`
}

// Why is what a score is made of: Score = Text × Project × Recency × Status × Fresh.
type Why struct {
	Text    float64  `json:"text"`    // what the words are worth
	Project float64  `json:"project"` // same, related or other project
	Recency float64  `json:"recency"`
	Status  float64  `json:"status"`
	Fresh   float64  `json:"fresh"`
	Words   []string `json:"words"` // words of the query the note has, as they are found in it
}

// Snippet is the part of a note that answers best. Marks are byte ranges of it.
type Snippet struct {
	Text  string   `json:"text"`
	Marks [][2]int `json:"marks,omitempty"`
}
