package fsm

import (
	"bytes"
	"encoding/json"
)

// MarshalJSON returns null for none, else the value.
func (o Optional[T]) MarshalJSON() ([]byte, error) {
	if !o.ok {
		return []byte("null"), nil
	}
	return json.Marshal(o.value)
}

// UnmarshalJSON is the reverse.
func (o *Optional[T]) UnmarshalJSON(data []byte) error {
	var v T
	if bytes.Equal(data, []byte("null")) {
		*o = None[T]()
		return nil
	}
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	*o = Some(v)
	return nil
}

// MarshalJSON returns the elements as an array, the first one in front.
func (f FIFO[T]) MarshalJSON() ([]byte, error) {
	elems := make([]T, f.size)
	for i := range elems {
		elems[i] = f.at(i)
	}
	return json.Marshal(elems)
}

// UnmarshalJSON is the reverse.
func (f *FIFO[T]) UnmarshalJSON(data []byte) error {
	var elems []T
	if err := json.Unmarshal(data, &elems); err != nil {
		return err
	}
	*f = NewFIFO(elems...)
	return nil
}
